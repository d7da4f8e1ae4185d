"""The lines and the table of `hapsis bench compiler`."""

from typing import Any

Row = dict[str, Any]
# the figures of each part in words, for the lines that are shown while it is measured
WORDS = {
    "reference_us": "{:.2f} µs per node",
    "expression_us": "{:.2f} µs by expressions",
    "operations": "{} operations",
    "single_us": "one state {:.1f} µs per operation",
    "single_good_us": "good code {:.1f} µs",
    "single_reload_ms": "from the cache {:.2f} ms",
    "batch_us": "batch {:.1f} µs per operation",
    "batch_good_us": "good code {:.1f} µs",
    "batch_reload_ms": "from the cache {:.2f} ms",
    "kernel_ns": "kernel {:.0f} ns",
    "out_ns": "with out= {:.0f} ns more",
    "allocating_ns": "allocating {:.0f} ns more",
    "ours": "{:.3g} states per second",
    "ours_f32": "f32 {:.3g}",
    "numpy": "NumPy {:.3g}",
    "gcc": "gcc {:.3g}",
    "sin_ulp": "sin {:.2f} ulp",
    "cos_ulp": "cos {:.2f} ulp",
}


def line(row: Row) -> str:
    """One part in a line."""
    ((name, figures),) = row.items()
    numbers = {k: v for k, v in figures.items() if k in WORDS}
    return f"{name:16}" + ", ".join(WORDS[k].format(v) for k, v in numbers.items())


def report(row: Row) -> str:
    """The figures as a table, each with the one to reach."""
    n, c, b, s = row["nodes"], row["call"], row["batch"], row["sines"]
    lines = [
        "compiler",
        f"  node                 {n['reference_us']:8.2f} us   by expression "
        f"{n['expression_us']:.2f} us   (to reach: 1)",
        "  compile, us per operation (to reach: 20), quick and good       reload, ms (to reach: 5)",
        "      operations    one state  good     batch  good         one state      batch",
    ]
    for size in row["compile"]:
        lines.append(
            f"      {size['operations']:10d}   {size['single_us']:10.1f} {size['single_good_us']:5.1f}"
            f" {size['batch_us']:9.1f} {size['batch_good_us']:5.1f}"
            f"        {size['single_reload_ms']:10.2f} {size['batch_reload_ms']:10.2f}"
        )
    lines += [
        f"  call beyond kernel   out= {c['out_ns']:.0f} ns (to reach: 150)   allocating "
        f"{c['allocating_ns']:.0f} ns (to reach: 300)   kernel {c['kernel_ns']:.0f} ns",
        f"  batch, one core      {b['ours'] / 1e6:.2f} M states/s of {b['operations']} operations,"
        f" f32 {b['ours_f32'] / 1e6:.2f} M, NumPy {b['numpy'] / 1e6:.3f} M"
        f" ({b['ours_over_numpy']:.0f}x)",
    ]
    if "gcc" in b:
        lines.append(
            f"    against gcc -O3    {b['gcc'] / 1e6:.2f} M states/s: {b['ours_over_gcc']:.1f}x"
            " (to reach: 0.95)"
        )
    if s:
        lines.append(
            f"  sin, cos             {s['sin_ulp']:.2f}, {s['cos_ulp']:.2f} ulp over +-1e6 (to"
            f" reach: 2); inf and nan give nan: {s['inf_nan']}; sin(1e22) = {s['sin_1e22']!r}"
        )
    return "\n".join(lines)
