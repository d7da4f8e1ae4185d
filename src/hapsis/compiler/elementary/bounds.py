ULP = {}
