"""Words of descriptions: written out, compared, agreeing with their subject; sorts of people and things."""
