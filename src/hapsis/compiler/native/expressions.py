"""Translation of the expressions of a function from syntax tree to IR, in Python's order of evaluation."""

import ast

from hapsis.compiler.native import remainders
from hapsis.compiler.native.builtins_ir import POINTS_TO_FIELD, builtin
from hapsis.compiler.native.definition import Definition, definition_of
from hapsis.compiler.native.record.record_layout import SCALARS
from hapsis.compiler.native.scope import NUMBERS, Scope
from hapsis.compiler.native.writer import Value, constant, element_kind, ir_type
from hapsis.errors import CompileError

SIGNS: dict[type, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
SIGNS |= {ast.FloorDiv: "//", ast.Mod: "%"}
SIGNS |= {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
# of ints; shifts by 0 to 63
BITS: dict[type, str] = {ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}
BITS |= {ast.LShift: "shl", ast.RShift: "ashr"}


class Expressions:
    """Evaluates expressions by writing IR."""

    def __init__(self, scope: Scope) -> None:
        self.scope, self.writer, self.fail = scope, scope.writer, scope.fail

    def value(self, node: ast.expr) -> Value:
        """The value of any expression."""
        match node:
            case ast.Constant():
                return self.scope.literal(node, node.value)
            case ast.Name():
                return self.scope.name(node)
            case ast.Attribute():
                if not self.scope.rooted(node):
                    return self.scope.number(node)
                return self._field(node)
            case ast.BinOp():
                return self.operation(node, node.op, self.value(node.left), self.value(node.right))
            case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
                operand = self.scope.numeric(node, self.value(node.operand))
                return self.writer.negative(operand) if isinstance(node.op, ast.USub) else operand
            case ast.Subscript():
                array = self.value(node.value)
                if array.kind == "Kernels":
                    index = self.index(node)
                    return self.writer.chosen_kernel(array, index, self.scope.where(node))
                return self.writer.read(*self.element(node, array))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self.comparison(node, op, self.value(left), self.value(right))
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return self.decided(node)
            case ast.IfExp():
                return self.either(node)
            case ast.Call():
                result = self.call(node)
                if result is None:
                    self.fail(node, f'"{ast.unparse(node.func)}" returns nothing')
                return result
        self.fail(
            node,
            f'"{ast.unparse(node)[:60]}" is not part of the native language',
            "use numbers, x[i], + - * / // %, comparisons, and/or/not, a if c else b, calls",
        )

    def _field(self, node: ast.Attribute) -> Value:
        """A field of a record; a constant one is loaded once at the head of the function."""
        record = self.steady(node.value)
        if record is None:
            record = self.value(node.value)
            return self.writer.load_field(record, self.scope.field(node, record, node.attr))
        field = self.scope.field(node, record, node.attr)
        if field.kind in SCALARS and not field.fixed:
            return self.writer.load_field(record, field)
        return self.writer.load_once(ast.unparse(node), record, field)

    def steady(self, node: ast.expr) -> Value | None:
        """A record that is constant during a call: a parameter that is not assigned, or a field of one."""
        if isinstance(node, ast.Name):
            return self.scope.steady.get(node.id)
        owner = self.steady(node.value) if isinstance(node, ast.Attribute) else None
        if owner is None or not isinstance(node, ast.Attribute):
            return None
        return self.writer.load_once(ast.unparse(node), owner, self.scope.field(node, owner, node.attr))

    def operation(self, node: ast.AST, op: ast.operator, a: Value, b: Value) -> Value:
        """a op b."""
        sign = SIGNS.get(type(op))
        if type(op) in BITS:
            if a.kind != "int" or b.kind != "int":
                self.fail(node, f"{a.kind} and {b.kind} have no bits", "use ints")
            return self.writer.bitwise(BITS[type(op)], a, b)
        if sign is None:
            what = f"the operator {type(op).__name__} is not part of the native language"
            self.fail(node, what, "use + - * / // % & | ^ << >>, and power(x, y) for powers")
        a, b = self.scope.alike(node, [a, b])
        if sign not in ("//", "%"):
            return self.writer.arithmetic(sign, a, b)
        if a.kind == "int":
            return self.writer.divided(sign, a, b)
        how = remainders.quotient if sign == "//" else remainders.remainder
        return self.invoked(node, how, [a, b])

    def comparison(self, node: ast.AST, op: ast.cmpop, a: Value, b: Value) -> Value:
        """a op b, one comparison."""
        sign = SIGNS.get(type(op))
        if sign is None:
            what = f"the comparison {type(op).__name__} is not part of the native language"
            self.fail(node, what, "use == != < <= > >=")
        if not (a.kind == b.kind == "bool" and sign in ("==", "!=")):
            a, b = self.scope.alike(node, [a, b])
        return self.writer.compare(sign, a, b)

    def element(self, node: ast.Subscript, array: Value) -> tuple[str, str]:
        """The kind of an element of an array, and its address."""
        kind = element_kind(array.kind)
        if not kind:
            self.fail(node, f"only Array and Ints have elements, not {array.kind}")
        return kind, self.writer.place(array, self.index(node), self.scope.where(node))

    def index(self, node: ast.Subscript) -> Value:
        """The number between the brackets."""
        if isinstance(node.slice, ast.Slice | ast.Tuple):
            self.fail(node, "an index is one int", "use at(x, k) for the elements from k on")
        index = self.value(node.slice)
        if index.kind != "int":
            self.fail(node, f"an index is int, not {index.kind}", "use int(...)")
        if isinstance(node.slice, ast.UnaryOp) or index.text.startswith("-"):
            self.fail(node, "an index counts from the first element", "it cannot be negative")
        return index

    def target(self, node: ast.Subscript | ast.Attribute) -> tuple[str, str]:
        """The kind and the address of the target of an assignment: x[i] or a number of a record."""
        owner = self.value(node.value)
        if isinstance(node, ast.Subscript):
            return self.element(node, owner)
        field = self.scope.field(node, owner, node.attr)
        if field.kind not in ("int", "float", "bool") or field.fixed:
            what = f'"{ast.unparse(node)}" cannot be assigned: it is {field.kind}'
            self.fail(node, what + (", and constant" if field.fixed else ""), "assign numbers")
        return str(field.kind), self.writer.field(owner, field.offset)

    # --- decisions ---

    def branch(self, node: ast.expr, yes: str, no: str, strict: bool = False) -> None:
        """Branches to one of two blocks; evaluates no more than Python does.

        Numbers count as true when not zero, unless `strict`.
        """
        writer = self.writer
        match node:
            case ast.UnaryOp(op=ast.Not()):
                self.branch(node.operand, no, yes)
            case ast.BoolOp():
                both = isinstance(node.op, ast.And)
                for part in node.values[:-1]:
                    more = writer.label()
                    self.branch(part, more if both else yes, no if both else more, strict)
                    writer.start(more)
                self.branch(node.values[-1], yes, no, strict)
            case ast.Compare():
                self._chain(node, yes, no)
            case _:
                value = self.value(node)
                if value.kind not in ("bool", *NUMBERS) or (strict and value.kind != "bool"):
                    self.fail(node, f"{value.kind} is no condition", "compare it with something")
                writer.end(f"br i1 {writer.truth(value).text}, label %{yes}, label %{no}")

    def _chain(self, node: ast.Compare, yes: str, no: str) -> None:
        """a < b < c: b is evaluated once, c only if a < b."""
        left = self.value(node.left)
        for k, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True), 1):
            after = self.value(right)
            test = self.comparison(node, op, left, after)
            more = yes if k == len(node.ops) else self.writer.label()
            self.writer.end(f"br i1 {test.text}, label %{more}, label %{no}")
            if more != yes:
                self.writer.start(more)
            left = after

    def decided(self, node: ast.expr) -> Value:
        """The value of a chain of comparisons, of and, or, not."""
        writer, slot = self.writer, self.writer.slot("bool")
        yes, no, done = writer.label(), writer.label(), writer.label()
        self.branch(node, yes, no, strict=True)
        for label, outcome in ((yes, True), (no, False)):
            writer.start(label)
            writer.put(slot, constant(outcome))
            writer.jump(done)
        writer.start(done)
        return writer.get(slot, "bool")

    def either(self, node: ast.IfExp) -> Value:
        """a if c else b: only one of them is evaluated."""
        writer = self.writer
        yes, no, done = writer.label(), writer.label(), writer.label()
        self.branch(node.test, yes, no)
        # the kind follows from both sides, so their lines are written separately and then joined
        before, parts, values = writer.lines, [], []
        for label, side in ((yes, node.body), (no, node.orelse)):
            writer.lines, writer.live = [], False
            writer.start(label)
            values.append(self.value(side))
            parts.append(writer.lines)
        kinds = {value.kind for value in values}
        kind = kinds.pop() if len(kinds) == 1 else "float"
        slot = writer.slot(kind)
        for part, value in zip(parts, values, strict=True):
            writer.lines, writer.live = part, True
            writer.put(slot, self.scope.converted(node, value, kind, "one side"))
            writer.jump(done)
        writer.lines = [*before, *parts[0], *parts[1]]
        writer.start(done)
        return writer.get(slot, kind)

    # --- calls ---

    def call(self, node: ast.Call) -> Value | None:
        """A call of any kind; None if it returns nothing."""
        if self.scope.rooted(node.func):
            return self._kernel(node)
        target = self.scope.static(node.func)
        definition = definition_of(target)
        if definition is not None:
            return self._native(node, definition)
        if target is POINTS_TO_FIELD:
            return self._place(node)
        return builtin(self.scope, node, target, self.value)

    def _kernel(self, node: ast.Call) -> None:
        """A call of a Kernel: it takes Arrays."""
        table = self.value(node.func)
        if table.kind != "Kernel" or node.keywords:
            name = ast.unparse(node.func)
            self.fail(node, f'"{name}" is {table.kind} and cannot be called like this')
        values = [self.value(argument) for argument in node.args]
        for argument, value in zip(node.args, values, strict=True):
            if value.kind != "Array":
                self.fail(argument, f"a Kernel takes Arrays, not {value.kind}")
        self.scope.counted(node, self._kernel_name(node.func), len(values))
        self.writer.call_kernel(table.text, values, self.scope.where(node))

    def _kernel_name(self, node: ast.expr) -> str:
        """The key of a Kernel in `Scope.arity`: the name of the parameter, or the field's key."""
        if isinstance(node, ast.Subscript):
            node = node.value
        if isinstance(node, ast.Attribute):
            return self.scope.field(node, self.kind_of(node.value), node.attr).key
        return ast.unparse(node)

    def kind_of(self, node: ast.expr) -> Value:
        """A record without its memory, to look up its fields."""
        if isinstance(node, ast.Attribute):
            field = self.scope.field(node, self.kind_of(node.value), node.attr)
            return Value(field.kind, "")
        assert isinstance(node, ast.Name)
        return Value(self.scope.kinds[node.id], "")

    def _place(self, node: ast.Call) -> Value:
        """The memory of a number of a record, as an array of one."""
        match node:
            case ast.Call(args=[record, ast.Constant(value=str() as name)], keywords=[]):
                owner = self.value(record)
                field = self.scope.field(node, owner, name)
                kind = {"float": "Array", "int": "Ints"}.get(str(field.kind))
                if kind is None or field.fixed:
                    what = f'"{name}" has no place: it is {field.kind}'
                    self.fail(node, what + (", and constant" if field.fixed else ""))
                return Value(kind, self.writer.field(owner, field.offset), "1")
        self.fail(node, "place takes a record and the name of one of its numbers")

    def _native(self, node: ast.Call, definition: Definition) -> Value | None:
        """A call of another native function, positional or named."""
        named = {k.arg: k.value for k in node.keywords if k.arg is not None}
        if len(named) < len(node.keywords) or any(isinstance(a, ast.Starred) for a in node.args):
            self.fail(node, "arguments cannot be unpacked here")
        try:
            nodes = definition.ordered(list(node.args), named)
        except CompileError as problem:
            self.fail(node, str(problem))
        # evaluated in the order of the text, then sorted by parameter
        values = {id(a): self.value(a) for a in (*node.args, *named.values())}
        arity = self.scope.library.arity(definition, node, self.scope)
        for name, argument in zip(definition.parameters, nodes, strict=True):
            if name in arity:
                self.scope.counted(node, self._kernel_name(argument), arity[name])
        for name in arity.keys() - definition.parameters.keys():
            self.scope.counted(node, name, arity[name])
        ordered = [values[id(argument)] for argument in nodes]
        if definition.result != "None":
            return self.invoked(node, definition, ordered)
        self.writer.do(self._call(node, definition, ordered))
        return None

    def invoked(self, node: ast.AST, definition: Definition, values: list[Value]) -> Value:
        """The result of a native function."""
        return self.writer.new(definition.result, self._call(node, definition, values))

    def _call(self, node: ast.AST, definition: Definition, values: list[Value]) -> str:
        library, listed = self.scope.library, []
        library.arity(definition, node, self.scope)  # the callee becomes part of the module
        for (name, kind), value in zip(definition.parameters.items(), values, strict=True):
            what = f'parameter "{name}" of {definition.name}'
            value = self.scope.converted(node, value, kind, what)
            listed.append(self.writer.argument(value))
        head = f"call {ir_type(definition.result)} {library.symbol(definition)}"
        return f"{head}({', '.join(listed)})"
