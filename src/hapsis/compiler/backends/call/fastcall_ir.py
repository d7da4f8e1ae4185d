"""LLVM text of the CPython *vectorcall* entry that checks NumPy arguments and runs a kernel.

A kernel is `void kernel(ptr table, ptr workspace)`; `table` holds one data pointer per input, then
the parameter vector's, then one per output. The entry is what the interpreter jumps to when an
object made by `fastcall.make_callable` is called: no argument tuple, no attribute look-up, no
Python frame. What is not the plain case (exact arrays of the declared shapes, disjoint memory)
goes unchanged to a Python callable, the *slow path*, so the entry itself raises nothing but
MemoryError.

One entry serves every function: shapes, kernel, objects and functions of CPython and NumPy are read
from a record of the callable, its *specification* (`Slot`). So the entry is compiled once, a
new function adds no code, and the code holds no address: it may be kept on disk and loaded by
another process. Unrolled checks would save a few nanoseconds per call and cost each function some
milliseconds of compilation.

In the text below `%x = get KIND %base NAME` stands for a load at a named offset.
"""

from __future__ import annotations

import re
from enum import IntEnum

ENTRY = "hapsis_call"

READABLE = 0x0001 | 0x0100  # NumPy's flags: C-contiguous, aligned
WRITABLE = READABLE | 0x0400

Slot = IntEnum(
    "Slot",
    # types, the dtype and its number
    "NDARRAY FLOAT SCALAR TUPLE RESULT DTYPE NUMBER "
    # the interned string "out", None, the offset of a tuple's items (24, from 3.14 on 32)
    "OUT NONE ITEMS "
    # functions
    "VECTORCALL NEW_ARRAY NEW_FLOAT NEW_OBJECT INCREF DECREF "
    # the function called: what it reads is its inputs and perhaps the parameter vector
    "KERNEL WORKSPACE PARAMETERS INPUTS READS OUTPUTS "
    # the arrays read and written begin here, three words each: bytes, dimensions, address of sizes
    "ARRAYS",
    start=0,
)
Slot.__doc__ = "Words of a specification, 8 bytes each."

# byte offsets in the callable, then in PyObject, PyVarObject, PyFloatObject and PyArrayObject
CALLABLE_ENTRY, CALLABLE_SLOW, CALLABLE_SPEC = 16, 24, 32
TYPE, SIZE, FLOAT_VALUE = 8, 16, 16
ARRAY_DATA, ARRAY_NDIM, ARRAY_SHAPE, ARRAY_DTYPE, ARRAY_FLAGS = 16, 24, 32, 56, 64
NDIM, SHAPE = 8, 16  # in an array of the specification; its bytes come first


def entry_ir() -> str:
    """The text of a module that defines `ENTRY`; it refers to no symbol of another module.

    Without optimisation it compiles in an eighth of the time, and a call takes 20 ns more.
    """
    names = {name: value for name, value in globals().items() if name.isupper()}
    names |= {slot.name: 8 * slot for slot in Slot}
    text = re.sub(
        r"(%[\w.]+) = get (\w+) (%[\w.]+) (\w+)",
        r"\1.field = getelementptr i8, ptr \3, i64 \4\n  \1 = load \2, ptr \1.field",
        _CHECKS + _CALL + _GIVEN + _ALLOCATE + _SLOW,
    )
    return re.sub(r"\b[A-Z_]{2,}\b", lambda match: str(names[match[0]]), text)


# the data of an item that is an exact array of that dtype, shape and flags, else null; and whether
# two ranges of memory share a byte, that is, whether one begins inside the other
_CHECKS = """
define internal ptr @array(ptr %item, ptr %spec, ptr %wanted, i32 %flags) nounwind {
  %type = get ptr %item TYPE
  %ndarray = get ptr %spec NDARRAY
  %exact = icmp eq ptr %type, %ndarray
  br i1 %exact, label %fields, label %no
fields:
  %dtype = get ptr %item ARRAY_DTYPE
  %dtype.wanted = get ptr %spec DTYPE
  %dtype.same = icmp eq ptr %dtype, %dtype.wanted
  %has = get i32 %item ARRAY_FLAGS
  %has.masked = and i32 %has, %flags
  %has.all = icmp eq i32 %has.masked, %flags
  %ndim = get i32 %item ARRAY_NDIM
  %ndim.wanted = get i32 %wanted NDIM
  %ndim.same = icmp eq i32 %ndim, %ndim.wanted
  %two = and i1 %dtype.same, %has.all
  %three = and i1 %two, %ndim.same
  br i1 %three, label %sizes, label %no
sizes:
  %n = zext i32 %ndim to i64
  %shape = get ptr %item ARRAY_SHAPE
  %shape.wanted = get ptr %wanted SHAPE
  br label %next
next:
  %k = phi i64 [ 0, %sizes ], [ %k.next, %size ]
  %k.next = add i64 %k, 1
  %end = icmp eq i64 %k, %n
  br i1 %end, label %yes, label %size
size:
  %size.at = getelementptr i64, ptr %shape, i64 %k
  %size.is = load i64, ptr %size.at
  %wanted.at = getelementptr i64, ptr %shape.wanted, i64 %k
  %size.wanted = load i64, ptr %wanted.at
  %size.same = icmp eq i64 %size.is, %size.wanted
  br i1 %size.same, label %next, label %no
yes:
  %data = get ptr %item ARRAY_DATA
  ret ptr %data
no:
  ret ptr null
}

define internal i1 @overlap(ptr %p, ptr %p.array, ptr %q, ptr %q.array) nounwind {
  %p.bytes = load i64, ptr %p.array
  %q.bytes = load i64, ptr %q.array
  %p.start = ptrtoint ptr %p to i64
  %q.start = ptrtoint ptr %q to i64
  %from.q = sub i64 %p.start, %q.start
  %from.p = sub i64 %q.start, %p.start
  %p.inside = icmp ult i64 %from.q, %q.bytes
  %q.inside = icmp ult i64 %from.p, %p.bytes
  %either = or i1 %p.inside, %q.inside
  ret i1 %either
}
"""

# the inputs: arrays, or a float where no dimension is declared; %scratch holds numbers
_CALL = """
define ptr @ENTRY(ptr %callable, ptr %args, i64 %nargsf, ptr %kwnames) nounwind {
  %spec = get ptr %callable CALLABLE_SPEC
  %arrays = getelementptr i8, ptr %spec, i64 ARRAYS
  %ninputs = get i64 %spec INPUTS
  %nreads = get i64 %spec READS
  %noutputs = get i64 %spec OUTPUTS
  %number = get i32 %spec NUMBER
  %single = icmp eq i32 %number, 11
  %nargs = and i64 %nargsf, 9223372036854775807  ; the top bit tells of spare room before args
  %count = icmp eq i64 %nargs, %ninputs
  br i1 %count, label %begin, label %slow
begin:
  %ntable = add i64 %nreads, %noutputs
  %nwords = mul i64 %ntable, 3
  %table = alloca ptr, i64 %nwords, align 8
  %scratch = getelementptr ptr, ptr %table, i64 %ntable
  %made = getelementptr ptr, ptr %scratch, i64 %ntable
  br label %input.next
input.next:
  %i = phi i64 [ 0, %begin ], [ %i.next, %input.found ]
  %i.next = add i64 %i, 1
  %i.end = icmp eq i64 %i, %ninputs
  br i1 %i.end, label %parameters, label %input
input:
  %input.at = getelementptr ptr, ptr %args, i64 %i
  %item = load ptr, ptr %input.at
  %array = getelementptr [3 x i64], ptr %arrays, i64 %i
  %data = call ptr @array(ptr %item, ptr %spec, ptr %array, i32 READABLE)
  %fits = icmp ne ptr %data, null
  br i1 %fits, label %input.found, label %input.number
input.number:
  %input.ndim = get i64 %array NDIM
  %input.scalar = icmp eq i64 %input.ndim, 0
  %type = get ptr %item TYPE
  %float = get ptr %spec FLOAT
  %float64 = get ptr %spec SCALAR
  %type.float = icmp eq ptr %type, %float
  %type.float64 = icmp eq ptr %type, %float64
  %type.real = or i1 %type.float, %type.float64
  %real = and i1 %input.scalar, %type.real
  br i1 %real, label %input.real, label %slow
input.real:
  %place = getelementptr ptr, ptr %scratch, i64 %i
  %value = get double %item FLOAT_VALUE
  store double %value, ptr %place
  br i1 %single, label %input.single, label %input.found
input.single:
  %rounded = fptrunc double %value to float
  store float %rounded, ptr %place
  br label %input.found
input.found:
  %pointer = phi ptr [ %data, %input ], [ %place, %input.real ], [ %place, %input.single ]
  %pointer.at = getelementptr ptr, ptr %table, i64 %i
  store ptr %pointer, ptr %pointer.at
  br label %input.next
parameters:  ; without parameters the first output takes this place
  %parameters.at = getelementptr ptr, ptr %table, i64 %ninputs
  %values = get ptr %spec PARAMETERS
  store ptr %values, ptr %parameters.at
  %kernel = get ptr %spec KERNEL
  %workspace = get ptr %spec WORKSPACE
  %written = getelementptr ptr, ptr %table, i64 %nreads
  %outputs = getelementptr [3 x i64], ptr %arrays, i64 %nreads
  %several = icmp ugt i64 %noutputs, 1
  %items.offset = get i64 %spec ITEMS
  %plain = icmp eq ptr %kwnames, null
  br i1 %plain, label %allocate, label %given
"""

# `out=` and nothing else: check it, run, return it
_GIVEN = """
given:
  %nkeywords = get i64 %kwnames SIZE
  %one = icmp eq i64 %nkeywords, 1
  br i1 %one, label %given.name, label %slow
given.name:
  %name.at = getelementptr i8, ptr %kwnames, i64 %items.offset
  %name = load ptr, ptr %name.at
  %name.out = get ptr %spec OUT
  %name.same = icmp eq ptr %name, %name.out
  br i1 %name.same, label %given.out, label %slow
given.out:  ; keyword values follow the positional ones
  %out.at = getelementptr ptr, ptr %args, i64 %ninputs
  %out = load ptr, ptr %out.at
  br i1 %several, label %given.tuple, label %given.items
given.tuple:
  %out.type = get ptr %out TYPE
  %tuple = get ptr %spec TUPLE
  %named = get ptr %spec RESULT
  %out.tuple = icmp eq ptr %out.type, %tuple
  %out.named = icmp eq ptr %out.type, %named
  %out.either = or i1 %out.tuple, %out.named
  br i1 %out.either, label %given.size, label %slow
given.size:
  %out.size = get i64 %out SIZE
  %out.enough = icmp eq i64 %out.size, %noutputs
  %out.items = getelementptr i8, ptr %out, i64 %items.offset
  br i1 %out.enough, label %given.items, label %slow
given.items:
  %items = phi ptr [ %out.at, %given.out ], [ %out.items, %given.size ]
  br label %given.next
given.next:
  %g = phi i64 [ 0, %given.items ], [ %g.next, %other.next ]
  %g.next = add i64 %g, 1
  %g.end = icmp eq i64 %g, %noutputs
  br i1 %g.end, label %given.run, label %given.array
given.array:
  %given.at = getelementptr ptr, ptr %items, i64 %g
  %given.item = load ptr, ptr %given.at
  %given.wanted = getelementptr [3 x i64], ptr %outputs, i64 %g
  %given.data = call ptr @array(ptr %given.item, ptr %spec, ptr %given.wanted, i32 WRITABLE)
  %written.at = getelementptr ptr, ptr %written, i64 %g
  store ptr %given.data, ptr %written.at
  %given.fits = icmp ne ptr %given.data, null
  %others = add i64 %nreads, %g
  br i1 %given.fits, label %other.next, label %slow
other.next:  ; all that is read, and the outputs before this one
  %o = phi i64 [ 0, %given.array ], [ %o.next, %other ]
  %o.next = add i64 %o, 1
  %o.end = icmp eq i64 %o, %others
  br i1 %o.end, label %given.next, label %other
other:
  %other.at = getelementptr ptr, ptr %table, i64 %o
  %other.data = load ptr, ptr %other.at
  %other.array = getelementptr [3 x i64], ptr %arrays, i64 %o
  %shared = call i1 @overlap(ptr %given.data, ptr %given.wanted, ptr %other.data, ptr %other.array)
  br i1 %shared, label %slow, label %other.next
given.run:
  call void %kernel(ptr %table, ptr %workspace)
  %references = load i64, ptr %out
  %references.more = add i64 %references, 1
  store i64 %references.more, ptr %out
  ret ptr %out
"""

# no keyword: make the arrays, run, then the floats and the tuple
_ALLOCATE = """
allocate:
  %c = phi i64 [ 0, %parameters ], [ %c.next, %allocate ]
  %c.next = add i64 %c, 1
  %clear.at = getelementptr ptr, ptr %made, i64 %c
  store ptr null, ptr %clear.at
  %c.end = icmp eq i64 %c.next, %noutputs
  br i1 %c.end, label %new.next, label %allocate
new.next:
  %n = phi i64 [ 0, %allocate ], [ %n.next, %new.found ]
  %n.next = add i64 %n, 1
  %n.end = icmp eq i64 %n, %noutputs
  br i1 %n.end, label %run, label %new
new:
  %new.wanted = getelementptr [3 x i64], ptr %outputs, i64 %n
  %new.ndim = get i32 %new.wanted NDIM
  %new.scalar = icmp eq i32 %new.ndim, 0
  %new.k = add i64 %nreads, %n
  %new.place = getelementptr ptr, ptr %scratch, i64 %new.k
  br i1 %new.scalar, label %new.found, label %new.array
new.array:
  %ndarray = get ptr %spec NDARRAY
  %new.shape = get ptr %new.wanted SHAPE
  %make = get ptr %spec NEW_ARRAY
  %new.item = call ptr %make(ptr %ndarray, i32 %new.ndim, ptr %new.shape, i32 %number, ptr null,
                             ptr null, i32 0, i32 0, ptr null)
  %new.at = getelementptr ptr, ptr %made, i64 %n
  store ptr %new.item, ptr %new.at
  %new.failed = icmp eq ptr %new.item, null
  br i1 %new.failed, label %failed, label %new.data
new.data:
  %new.memory = get ptr %new.item ARRAY_DATA
  br label %new.found
new.found:
  %new.pointer = phi ptr [ %new.place, %new ], [ %new.memory, %new.data ]
  %new.pointer.at = getelementptr ptr, ptr %written, i64 %n
  store ptr %new.pointer, ptr %new.pointer.at
  br label %new.next
run:
  call void %kernel(ptr %table, ptr %workspace)
  br label %float.next
float.next:
  %f = phi i64 [ 0, %run ], [ %f.next, %float.look ], [ %f.next, %float.made ]
  %f.next = add i64 %f, 1
  %f.end = icmp eq i64 %f, %noutputs
  br i1 %f.end, label %finish, label %float.look
float.look:
  %float.wanted = getelementptr [3 x i64], ptr %outputs, i64 %f
  %float.ndim = get i32 %float.wanted NDIM
  %float.is = icmp eq i32 %float.ndim, 0
  %float.at = getelementptr ptr, ptr %written, i64 %f
  %float.place = load ptr, ptr %float.at
  br i1 %float.is, label %float.kind, label %float.next
float.kind:
  br i1 %single, label %float.single, label %float.double
float.single:
  %narrow = load float, ptr %float.place
  %widened = fpext float %narrow to double
  br label %float.make
float.double:
  %wide = load double, ptr %float.place
  br label %float.make
float.make:
  %answer = phi double [ %widened, %float.single ], [ %wide, %float.double ]
  %new.float = get ptr %spec NEW_FLOAT
  %float.item = call ptr %new.float(double %answer)
  %float.item.at = getelementptr ptr, ptr %made, i64 %f
  store ptr %float.item, ptr %float.item.at
  %float.failed = icmp eq ptr %float.item, null
  br i1 %float.failed, label %failed, label %float.made
float.made:
  br label %float.next
finish:
  %first = load ptr, ptr %made
  br i1 %several, label %pack, label %finish.one
finish.one:
  ret ptr %first
pack:  ; after the kernel, because this allocation may collect garbage, that is, run Python code
  %result = get ptr %spec RESULT
  %new.object = get ptr %spec NEW_OBJECT
  %packed = call ptr %new.object(ptr %result, i64 %noutputs)
  %pack.failed = icmp eq ptr %packed, null
  br i1 %pack.failed, label %failed, label %pack.begin
pack.begin:  ; from 3.14 on a hash comes first, -1 for none; before, an item overwrites this
  %hash.at = getelementptr i8, ptr %packed, i64 24
  store i64 -1, ptr %hash.at
  %packed.items = getelementptr i8, ptr %packed, i64 %items.offset
  br label %pack.next
pack.next:
  %p = phi i64 [ 0, %pack.begin ], [ %p.next, %pack.next ]
  %p.next = add i64 %p, 1
  %pack.from = getelementptr ptr, ptr %made, i64 %p
  %pack.item = load ptr, ptr %pack.from
  %pack.to = getelementptr ptr, ptr %packed.items, i64 %p
  store ptr %pack.item, ptr %pack.to
  %p.end = icmp eq i64 %p.next, %noutputs
  br i1 %p.end, label %packed.done, label %pack.next
packed.done:
  ret ptr %packed
failed:  ; out of memory: give back what was made; a null is no harm
  %drop = get ptr %spec DECREF
  br label %failed.next
failed.next:
  %d = phi i64 [ 0, %failed ], [ %d.next, %failed.next ]
  %d.next = add i64 %d, 1
  %drop.at = getelementptr ptr, ptr %made, i64 %d
  %drop.item = load ptr, ptr %drop.at
  call void %drop(ptr %drop.item)
  %d.end = icmp eq i64 %d.next, %noutputs
  br i1 %d.end, label %failed.done, label %failed.next
failed.done:
  ret ptr null
"""

# the same arguments to the Python callable, held during the call because it may replace itself;
# to None, hence a TypeError, once it is deleted
_SLOW = """
slow:
  %stored = get ptr %callable CALLABLE_SLOW
  %none = get ptr %spec NONE
  %gone = icmp eq ptr %stored, null
  %target = select i1 %gone, ptr %none, ptr %stored
  %hold = get ptr %spec INCREF
  %release = get ptr %spec DECREF
  %vectorcall = get ptr %spec VECTORCALL
  call void %hold(ptr %target)
  %answered = call ptr %vectorcall(ptr %target, ptr %args, i64 %nargsf, ptr %kwnames)
  call void %release(ptr %target)
  ret ptr %answered
}
"""
