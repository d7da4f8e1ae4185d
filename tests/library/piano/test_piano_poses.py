"""Accelerations and forces of the action agree with those computed by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hapsis as hs
from tests.library.piano.plain_action import PlainAction
