"""What pre-training reads: stories on disk as ids, cut into pairs, put into batches with masked tokens."""
