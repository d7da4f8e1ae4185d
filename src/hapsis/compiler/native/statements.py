"""Translation of the statements of a function from syntax tree to IR.

A variable has the kind of its first assignment in the text. It may be read only where every path
through the function has assigned it, so that native code never reads uninitialised memory.
"""

import ast
from collections import Counter
from typing import NamedTuple, NoReturn

from hapsis.compiler.native.definition import Definition
from hapsis.compiler.native.expressions import Expressions
from hapsis.compiler.native.record.record_layout import Layout
from hapsis.compiler.native.scope import Library, Scope
from hapsis.compiler.native.writer import Value, Writer, constant, ir_type

NOWHERE = "(unreachable)"  # among the assigned variables where the code is unreachable


class Loop(NamedTuple):
    """Where break and continue go, and what was assigned at each break."""

    after: str
    again: str
    breaks: list[set[str]]


class Translation:
    """The IR of one function; `arity` tells how many arguments its Kernels are called with."""

    def __init__(self, definition: Definition, symbol: str, library: Library) -> None:
        self.definition, self.writer = definition, Writer(library.checked)
        self.scope = Scope(definition, self.writer, library)
        self.expressions = Expressions(self.scope)
        self.value = self.expressions.value
        self.loops: list[Loop] = []
        tree = definition.tree()
        self.assigned = _assigned_names(tree)
        self.scope.locals = {*definition.parameters, *self.assigned}
        for k, (name, kind) in enumerate(definition.parameters.items()):
            value = Value(kind, f"%p{k}", f"%n{k}")
            self.scope.assign(tree, name, value)
            if isinstance(kind, Layout) and name not in self.assigned:
                self.scope.steady[name] = value
        for statement in tree.body:
            self.statement(statement)
        if self.writer.live:
            if definition.result != "None" and NOWHERE not in self.scope.assigned:
                self.scope.fail(tree.body[-1], "the function may end here without a result", "return one")
            self.writer.end("ret void" if definition.result == "None" else "unreachable")
        self.arity = self.scope.arity
        kinds = enumerate(definition.parameters.values())
        listed = ", ".join(self.writer.parameter(kind, k) for k, kind in kinds)
        head = f"define internal {ir_type(definition.result)} {symbol}({listed}) #0 {{\nentry:"
        self.text = "\n".join([head, *self.writer.slots, *self.writer.head, *self.writer.lines, "}"])

    def _unreachable(self) -> None:
        """Marks the code as unreachable: there every variable counts as assigned."""
        self.scope.assigned = self.scope.locals | {NOWHERE}

    # --- statements ---

    def statement(self, node: ast.stmt) -> None:
        """One statement of any kind."""
        match node:
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass
            case ast.Expr(value=ast.Call() as call):
                self.expressions.call(call)
            case ast.Assign():
                self._assignment(node)
            case ast.AugAssign():
                self._augmented(node)
            case ast.If():
                self._if(node)
            case ast.While(orelse=[]):
                self._while(node)
            case ast.For(orelse=[], target=ast.Name()):
                self._for(node)
            case ast.Break():
                self.loops[-1].breaks.append(self.scope.assigned)
                self.writer.jump(self.loops[-1].after)
                self._unreachable()
            case ast.Continue():
                self.writer.jump(self.loops[-1].again)
                self._unreachable()
            case ast.Return():
                self._return(node)
            case _:
                start = ast.unparse(node).splitlines()[0][:60]
                self.scope.fail(
                    node,
                    f'"{start}" is not part of the native language',
                    "use assignments, if, while, for .. in range, break, continue, return, calls",
                )

    def block(self, body: list[ast.stmt]) -> None:
        """Several statements."""
        for statement in body:
            self.statement(statement)

    def _assignment(self, node: ast.Assign) -> None:
        """All values first, then the targets from left to right."""
        first, source = node.targets[0], node.value
        if isinstance(first, ast.Tuple):
            if len(node.targets) > 1 or not isinstance(source, ast.Tuple):
                self.scope.fail(node, "several targets need as many values", "write a, b = x, y")
            if len(first.elts) != len(source.elts):
                self.scope.fail(node, f"{len(first.elts)} targets, {len(source.elts)} values")
            values = [self.value(value) for value in source.elts]
            for target, source_item, value in zip(first.elts, source.elts, values, strict=True):
                self._store(target, source_item, value)
            return
        value = self.value(source)
        for target in node.targets:
            self._store(target, source, value)

    def _store(self, target: ast.expr, source: ast.expr, value: Value) -> None:
        match target:
            case ast.Name():
                if value.kind in ("Kernel", "Kernels"):
                    self.scope.fail(target, "a Kernel is called or passed on, never assigned")
                self.scope.assign(target, target.id, value)
                if isinstance(value.kind, Layout) and self.assigned[target.id] == 1:
                    self._same_record(target.id, source)
            case ast.Subscript() | ast.Attribute():
                self._write(target, *self._target(target), value)
            case _:
                self._refuse(target)

    def _same_record(self, name: str, source: ast.expr) -> None:
        """Marks a variable that is assigned once as steady if the record assigned to it is."""
        record = self.expressions.steady(source)
        if record is not None and name not in self.definition.parameters:
            self.scope.steady[name] = record

    def _target(self, node: ast.Subscript | ast.Attribute) -> tuple[str, str]:
        if isinstance(node, ast.Attribute) and not self.scope.rooted(node):
            self._refuse(node)
        return self.expressions.target(node)

    def _refuse(self, target: ast.expr) -> NoReturn:
        what = f'"{ast.unparse(target)}" cannot be assigned'
        self.scope.fail(target, what, "assign x, x[i] or a number of a record")

    def _write(self, node: ast.expr, kind: str, place: str, value: Value) -> None:
        array = "Ints" if kind == "int" else "Array"
        field = isinstance(node, ast.Attribute)
        what = f'"{ast.unparse(node)}"' if field else f"an element of {array}"
        self.writer.store_field(place, self.scope.converted(node, value, kind, what))

    def _augmented(self, node: ast.AugAssign) -> None:
        """x += y: the old value is read before y is evaluated, x[i] is located once."""
        target = node.target
        if isinstance(target, ast.Subscript | ast.Attribute):
            kind, place = self._target(target)
            old = self.writer.read("int" if kind == "bool" else kind, place)._replace(kind=kind)
            new = self.expressions.operation(node, node.op, old, self.value(node.value))
            self._write(target, kind, place, new)
        elif isinstance(target, ast.Name):
            old = self.scope.name(target)
            new = self.expressions.operation(node, node.op, old, self.value(node.value))
            self.scope.assign(node, target.id, new)
        else:
            self._refuse(target)

    def _return(self, node: ast.Return) -> None:
        kind, expression = self.definition.result, node.value
        if expression is None or (isinstance(expression, ast.Constant) and expression.value is None):
            if kind != "None":
                self.scope.fail(node, f"the function returns {kind}, not nothing")
            self.writer.end("ret void")
        else:
            if kind == "None":
                self.scope.fail(node, "the function is declared to return None")
            value = self.scope.converted(node, self.value(expression), kind, "the result")
            self.writer.end(f"ret {ir_type(kind)} {value.text}")
        self._unreachable()

    # --- control ---

    def _if(self, node: ast.If) -> None:
        writer, scope = self.writer, self.scope
        yes, no, done = writer.label(), writer.label(), writer.label()
        self.expressions.branch(node.test, yes, no)
        before = scope.assigned
        ends: list[set[str]] = []
        for label, body in ((yes, node.body), (no, node.orelse)):
            scope.assigned = before
            writer.start(label)
            self.block(body)
            if writer.live:
                writer.jump(done)
            ends.append(scope.assigned)
        writer.start(done)
        scope.assigned = ends[0] & ends[1]

    def _while(self, node: ast.While) -> None:
        writer, scope = self.writer, self.scope
        again, body, after = writer.label(), writer.label(), writer.label()
        forever = isinstance(node.test, ast.Constant) and bool(node.test.value)
        writer.start(again)
        if forever:
            writer.jump(body)
        else:
            self.expressions.branch(node.test, body, after)
        loop = Loop(after, again, [])
        if not forever:
            loop.breaks.append(scope.assigned)
        writer.start(body)
        self._looped(loop, node.body)
        if writer.live:
            writer.jump(again)
        self._left(loop)

    def _for(self, node: ast.For) -> None:
        """for i in range(...), with a separate counter, so that the body may change i."""
        writer, scope = self.writer, self.scope
        start, stop, step = self._range(node)
        count, name = writer.slot("int"), node.target
        assert isinstance(name, ast.Name)
        writer.put(count, start)
        again, body, advance, after = (writer.label() for _ in range(4))
        loop = Loop(after, advance, [scope.assigned])
        writer.start(again)
        now = writer.get(count, "int")
        more = writer.compare("<" if step > 0 else ">", now, stop)
        writer.end(f"br i1 {more.text}, label %{body}, label %{after}")
        writer.start(body)
        self.scope.assign(node, name.id, now)
        self._looped(loop, node.body)
        writer.start(advance)
        # now < stop, so now + 1 never overflows
        wrap = "nsw " if abs(step) == 1 else ""
        now = writer.get(count, "int")
        writer.put(count, writer.new("int", f"add {wrap}i64 {now.text}, {step}"))
        writer.jump(again)
        self._left(loop)

    def _looped(self, loop: Loop, body: list[ast.stmt]) -> None:
        self.loops.append(loop)
        self.block(body)
        self.loops.pop()

    def _left(self, loop: Loop) -> None:
        """After a loop, the variables that are assigned on every path out of it count as assigned."""
        self.writer.start(loop.after)
        self._unreachable()
        for assigned in loop.breaks:
            self.scope.assigned = self.scope.assigned & assigned

    def _range(self, node: ast.For) -> tuple[Value, Value, int]:
        call, scope = node.iter, self.scope
        if not isinstance(call, ast.Call) or scope.static(call.func) is not range:
            scope.fail(node, "for runs over a range only", "use range(n), range(a, b) or with a step")
        if not 1 <= len(call.args) <= 3 or call.keywords:
            scope.fail(node, "range takes one to three numbers")
        values = [self.value(argument) for argument in call.args[:2]]
        if any(value.kind != "int" for value in values):
            scope.fail(node, "range takes ints", "use int(...)")
        step = self._step(call.args[2]) if len(call.args) == 3 else 1
        return values[0] if len(values) == 2 else constant(0), values[-1], step

    def _step(self, node: ast.expr) -> int:
        sign, inner = 1, node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            sign, inner = -1, node.operand
        step = inner.value if isinstance(inner, ast.Constant) else self.scope.static(inner)
        if not isinstance(step, int) or step == 0:
            self.scope.fail(node, "the step of a range is an int that is known and not zero")
        return sign * int(step)


def _assigned_names(tree: ast.FunctionDef) -> Counter[str]:
    """{name: how often it is assigned}; these are the local variables, as in Python."""
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return Counter(node.id for node in names if isinstance(node.ctx, ast.Store))
