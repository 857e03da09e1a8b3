"""Why a forward pass failed, in one sentence."""
