// The tone of a struck string as numbers: partials that are a little too high, bright after a hard blow.
//
//   f_n = n f √(1 + B n²),   a_n = |sin(n π / 8)| / n · exp(-f_n / (brightness f)),   each with a fast and a slow decay

const STIFFNESS = 4e-4; // B
const STRUCK = 1 / 8; // of the length of the string
const PARTIALS = 24;
const KNOCK = 0.012; // s of the noise of the felt

/** Samples of a tone, their largest size 1. */
export function tone(frequency: number, brightness: number, rate: number, seconds: number): Float32Array {
  const samples = new Float32Array(Math.max(1, Math.round(rate * seconds)));
  const slow = 4.5 * (220 / frequency) ** 0.6; // s, of the fundamental: low strings ring longer
  for (let n = 1; n <= PARTIALS; n++) {
    const f = n * frequency * Math.sqrt(1 + STIFFNESS * n * n);
    if (f > 0.45 * rate) break;
    const size = (Math.abs(Math.sin(n * Math.PI * STRUCK)) / n) * Math.exp(-f / (brightness * frequency));
    if (size < 1e-5) continue;
    const long = slow / (1 + 0.25 * n);
    const [w, c] = [(2 * Math.PI * f) / rate, 2 * Math.cos((2 * Math.PI * f) / rate)];
    const [fast, late] = [Math.exp(-1 / (0.22 * long * rate)), Math.exp(-1 / (long * rate))];
    let [a, b] = [0, -Math.sin(w)]; // sin(w k) by its own past
    let [e, g] = [0.65 * size, 0.35 * size];
    for (let k = 0; k < samples.length; k++) {
      samples[k] += a * (e + g);
      [a, b] = [c * a - b, a];
      e *= fast;
      g *= late;
    }
  }
  const knock = Math.min(samples.length, Math.round(KNOCK * rate));
  let noise = 0;
  let seed = 12345;
  for (let k = 0; k < knock; k++) {
    seed = (1103515245 * seed + 12345) % 2147483648;
    noise += 0.2 * (seed / 1073741824 - 1 - noise);
    samples[k] += 0.12 * noise * (1 - k / knock) ** 2;
  }
  const most = samples.reduce((x, y) => Math.max(x, Math.abs(y)), 1e-9);
  const soft = Math.min(samples.length, Math.round(0.001 * rate)); // no click at the beginning
  for (let k = 0; k < samples.length; k++) samples[k] *= (k < soft ? k / soft : 1) / most;
  return samples;
}

/** From the speed of a touch in m/s: how loud (0 to 1), and how bright. */
export function loudness(speed: number): number {
  return Math.min(1, (Math.max(speed, 0) / 7) ** 0.8);
}

export function brightness(speed: number): number {
  return 1.2 + 1.6 * Math.min(Math.max(speed, 0), 8) ** 0.7;
}
