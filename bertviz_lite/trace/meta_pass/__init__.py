"""A forward pass on torch's meta device: shapes and dtypes, without arithmetic."""
