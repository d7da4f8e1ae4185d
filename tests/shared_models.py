"""Models of `hs.library` that tests share: each is made once, and what is derived from it is kept with it."""

from functools import cache
from types import SimpleNamespace

import hapsis as hs

MAKERS = {name: getattr(hs.library, name) for name in hs.library.__all__}
library = SimpleNamespace(**{name: cache(make) for name, make in MAKERS.items()})
