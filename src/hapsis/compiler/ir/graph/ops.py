"""The operations of the graph and their properties: name, arity, symmetry, price.

A *reference* is an int: ``index << 2 | is_constant << 1 | sign``. The sign sits on the edge, so a
negation is one XOR, costs nothing at run time, and ``x - y`` shares its node with ``y - x``.
A *node* is a tuple ``(op, operand references...)``; it is its own key in the table of nodes.
"""

from typing import Final

(
    SYMBOL,  # (SYMBOL, slot)         a scalar of some input
    PARAMETER,  # (PARAMETER, slot)      a scalar with a stored value
    BLOCK,  # (BLOCK, k, refs...)    a kept call, map or repeat: many scalars in, many out
    OUT,  # (OUT, j, block)        scalar j of what a block returns
    ADD,
    SUB,
    MUL,
    DIV,
    SQRT,
    SIN,
    COS,
    TAN,
    ASIN,
    ACOS,
    ATAN2,
    EXP,
    LOG,
    POW,
    ABS,
    MIN,
    MAX,
    LT,  # comparisons give 1.0 or 0.0
    LE,
    EQ,
    SELECT,  # (SELECT, condition, then, otherwise)
    FLOOR,
    SIGN,
    LOOKUP,  # (LOOKUP, k, index)     an entry of a constant table
) = range(28)

NAMES: Final = (
    "symbol parameter block out add sub mul div sqrt sin cos tan asin acos atan2 exp log pow "
    "abs min max lt le eq select floor sign lookup"
).split()

ZERO: Final = 2  # the constant table starts with 0.0 and 1.0
ONE: Final = 6

# where the operand references start in a node's tuple
FIRST: Final = [2 if op <= OUT or op == LOOKUP else 1 for op in range(len(NAMES))]

UNARY: Final = frozenset({SQRT, SIN, COS, TAN, ASIN, ACOS, EXP, LOG, ABS, FLOOR, SIGN})
BINARY: Final = frozenset({ADD, SUB, MUL, DIV, ATAN2, POW, MIN, MAX, LT, LE, EQ})
COMMUTATIVE: Final = frozenset({ADD, MUL, EQ})
COMPARISONS: Final = frozenset({LT, LE, EQ})

# f(-x) = -f(x) and f(-x) = f(x): the sign leaves the operand
ODD: Final = frozenset({SIN, TAN, ASIN, SIGN})
EVEN: Final = frozenset({COS, ABS})

# The classes symbols are sorted by, in the order of [Robotran] equation 14: mass, length, force,
# coordinate; sines and cosines, products and differences follow.
KINDS: Final = ("mass", "length", "force", "coordinate", "other")

# what one operation counts as in a Cost; blocks count their bodies
COUNTED: Final = {
    ADD: "add",
    SUB: "add",
    MUL: "mul",
    DIV: "div",
    SQRT: "sqrt",
    SIN: "trig",
    COS: "trig",
    TAN: "trig",
    ASIN: "trig",
    ACOS: "trig",
    ATAN2: "trig",
    EXP: "exp",
    LOG: "exp",
    POW: "exp",
    ABS: "logic",
    MIN: "logic",
    MAX: "logic",
    LT: "logic",
    LE: "logic",
    EQ: "logic",
    SELECT: "logic",
    FLOOR: "logic",
    SIGN: "logic",
    LOOKUP: "logic",
}

# relative price of one operation, to choose between two forms of the same thing
PRICE: Final = {"add": 1.0, "mul": 1.0, "div": 6.0, "sqrt": 6.0, "trig": 10.0, "exp": 12.0, "logic": 1.0}
