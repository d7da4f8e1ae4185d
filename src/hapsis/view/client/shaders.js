// What runs on the graphics processor. Poses of bodies lie in a texture, two texels each:
// position, then quaternion x y z w. So a frame costs one small upload, however many shapes.

// vertex attributes by type and name, numbered from 0
const inputs = (...names) => names.map((name, k) => `layout(location = ${k}) in ${name};`).join("\n");

const COMMON_VERTEX = `#version 300 es
precision highp float; precision highp int; precision highp sampler2D;
uniform sampler2D u_poses;
uniform mat4 u_view;
vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
ivec2 place(float body) { int b = int(body + 0.5); return ivec2((b % 1024) * 2, b / 1024); }
vec3 position_of(float body) {
  return body < -0.5 ? vec3(0.0) : texelFetch(u_poses, place(body), 0).xyz;
}
vec4 turn_of(float body) {
  return body < -0.5 ? vec4(0.0, 0.0, 0.0, 1.0) : texelFetch(u_poses, place(body) + ivec2(1, 0), 0);
}
`;

const SHADOW = `
uniform highp sampler2DShadow u_shadow;
uniform mat4 u_light;
uniform float u_texel;
uniform bool u_fast;
const vec2 SPREAD[5] = vec2[](
  vec2(0.0), vec2(1.5, 0.6), vec2(-0.6, 1.5), vec2(-1.5, -0.6), vec2(0.6, -1.5));
float lit(vec3 world) {
  vec4 p = u_light * vec4(world, 1.0);
  vec3 s = p.xyz * 0.5 + 0.5;
  if (any(lessThan(s, vec3(0.0))) || any(greaterThan(s, vec3(1.0)))) return 1.0;
  if (u_fast) return texture(u_shadow, s);
  float sum = 0.0;
  for (int k = 0; k < 5; k++)
    sum += texture(u_shadow, vec3(s.xy + SPREAD[k] * u_texel, s.z));
  return sum / 5.0;
}
`;

const SHADING = `
uniform vec3 u_eye, u_sun, u_up;
vec3 shaded(vec3 color, vec3 normal, vec3 world, float light) {
  vec3 albedo = pow(color, vec3(2.2));
  vec3 view = normalize(u_eye - world);
  vec3 sky = vec3(0.80, 0.87, 1.0), earth = vec3(0.44, 0.41, 0.38);
  vec3 soft = mix(earth, sky, 0.5 + 0.5 * dot(normal, u_up));
  float direct = max(dot(normal, u_sun), 0.0) * light;
  float shine = pow(max(dot(normal, normalize(u_sun + view)), 0.0), 48.0) * 0.16 * light;
  float rim = pow(1.0 - max(dot(normal, view), 0.0), 4.0) * 0.10;
  vec3 c = albedo * (0.70 * soft + vec3(0.86, 0.82, 0.75) * direct) + shine + rim * sky * 0.5;
  return pow(c / (1.0 + 0.12 * c), vec3(1.0 / 2.2));
}
`;

const SOLID_VERTEX = `${COMMON_VERTEX}
${inputs("vec3 a_position", "vec3 a_normal", "float i_body", "vec3 i_at", "vec4 i_turn", "vec3 i_scale", "vec3 i_color")}
out vec3 v_world, v_normal, v_color, v_own;
void main() {
  vec4 q = turn_of(i_body);
  v_world = position_of(i_body) + turn(q, i_at + turn(i_turn, a_position * i_scale));
  v_normal = turn(q, turn(i_turn, a_normal / max(i_scale, vec3(1e-9))));
  v_color = i_color;
  v_own = a_position;
  gl_Position = u_view * vec4(v_world, 1.0);
}`;

const SOLID_FRAGMENT = `#version 300 es
precision highp float;
${SHADOW}${SHADING}
uniform int u_pattern;
uniform float u_light_size;
in vec3 v_world, v_normal, v_color, v_own;
out vec4 color;
void main() {
  vec3 n = normalize(v_normal);
  if (!gl_FrontFacing) n = -n;
  // round things wear quarters in two tones, or nobody would see them turn
  vec3 c = v_color;
  if (u_pattern > 0) {
    float d = v_own.x * v_own.y * (u_pattern > 1 ? v_own.z : 1.0);
    c *= mix(0.86, 1.04, smoothstep(-0.5, 0.5, d / max(fwidth(d), 1e-6)));
  }
  color = vec4(shaded(min(c, 1.0), n, v_world, lit(v_world + n * 2.0 * u_texel * u_light_size)), 1.0);
}`;

const DEPTH_FRAGMENT = `#version 300 es
precision highp float;
void main() {}`;

const ARROW_VERTEX = `${COMMON_VERTEX}
${inputs("vec3 a_position", "vec3 a_normal", "vec3 i_point", "vec3 i_vector", "vec3 i_color")}
uniform float u_thickness;
out vec3 v_world, v_normal, v_color;
void main() {
  float size = max(length(i_vector), 1e-9);
  vec3 z = i_vector / size;
  vec3 x = normalize(abs(z.z) < 0.9 ? cross(z, vec3(0, 0, 1)) : cross(z, vec3(1, 0, 0)));
  vec3 y = cross(z, x);
  float head = min(5.5 * u_thickness, 0.45 * size);
  float slim = min(u_thickness, 0.45 * size / 5.5);
  bool tip = a_position.z > 1.5;
  float along = tip ? size - head + (a_position.z - 2.0) * head : a_position.z * (size - head);
  float wide = tip ? 2.4 * slim : slim;
  v_world = i_point + wide * (x * a_position.x + y * a_position.y) + z * along;
  v_normal = x * a_normal.x + y * a_normal.y + z * a_normal.z;
  v_color = i_color;
  gl_Position = u_view * vec4(v_world, 1.0);
}`;

const ARROW_FRAGMENT = `#version 300 es
precision highp float;
${SHADING}
uniform float u_opacity;
in vec3 v_world, v_normal, v_color;
out vec4 color;
void main() {
  color = vec4(shaded(v_color, normalize(v_normal), v_world, 1.0), 1.0) * u_opacity;
}`;

// a line of constant width on the screen, from a to b in the frame of a body
const LINE_VERTEX = `${COMMON_VERTEX}
${inputs("vec2 a_corner", "vec3 i_a", "vec3 i_b", "vec3 i_color", "float i_body")}
uniform vec2 u_window;
uniform float u_width, u_opacity, u_fade;
out vec4 v_color;
void main() {
  vec4 q = turn_of(i_body);
  vec3 p = position_of(i_body);
  vec4 a = u_view * vec4(p + turn(q, i_a), 1.0), b = u_view * vec4(p + turn(q, i_b), 1.0);
  // the part behind the eye is cut off
  float near = 1e-3;
  if (a.w < near && b.w < near) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  if (a.w < near) a = mix(b, a, (b.w - near) / (b.w - a.w));
  if (b.w < near) b = mix(a, b, (a.w - near) / (a.w - b.w));
  vec2 d = (b.xy / b.w - a.xy / a.w) * u_window;
  d = length(d) > 1e-6 ? normalize(d) : vec2(1.0, 0.0);
  vec4 end = a_corner.x < 0.5 ? a : b;
  vec2 side = vec2(-d.y, d.x) * a_corner.y + d * (2.0 * a_corner.x - 1.0) * (u_opacity < 1.0 ? 0.0 : 0.5);
  gl_Position = end + vec4(side * u_width / u_window * end.w, 0.0, 0.0);
  float age = u_fade > 0.0 ? float(gl_InstanceID + 1) / u_fade : 1.0;
  v_color = vec4(i_color, u_opacity * mix(0.15, 1.0, age * age));
}`;

const LINE_FRAGMENT = `#version 300 es
precision highp float;
in vec4 v_color;
out vec4 color;
void main() { color = vec4(v_color.rgb * v_color.a, v_color.a); }`;

// a patch of an endless plane, with grid and shadow, fading out
const PLANE_VERTEX = `${COMMON_VERTEX}
${inputs("vec2 a_corner")}
uniform float u_body, u_size;
uniform vec3 u_at;
uniform vec4 u_turn;
uniform vec2 u_centre;
out vec3 v_world;
out vec2 v_plane;
void main() {
  vec4 q = turn_of(u_body);
  v_plane = u_centre + a_corner * u_size;
  v_world = position_of(u_body) + turn(q, u_at + turn(u_turn, vec3(v_plane, 0.0)));
  gl_Position = u_view * vec4(v_world, 1.0);
}`;

const PLANE_FRAGMENT = `#version 300 es
precision highp float;
${SHADOW}
uniform vec4 u_fill, u_rule;
uniform float u_step, u_size, u_dark;
uniform vec2 u_centre;
in vec3 v_world;
in vec2 v_plane;
out vec4 color;
float ruled(vec2 p, float step, float width) {
  vec2 g = p / step, w = fwidth(g);
  vec2 d = abs(fract(g - 0.5) - 0.5) / max(w, vec2(1e-6));
  vec2 line = clamp(width + 0.5 - d, 0.0, 1.0) * (1.0 - smoothstep(0.25, 0.5, w));
  return max(line.x, line.y);
}
void main() {
  float r = length(v_plane - u_centre) / u_size;
  float fade = 1.0 - smoothstep(0.25, 1.0, r);
  float rule = max(0.32 * ruled(v_plane, u_step, 0.5), ruled(v_plane, 5.0 * u_step, 0.6));
  float a = fade * mix(u_fill.a, 1.0, rule * u_rule.a);
  vec3 c = mix(u_fill.rgb, u_rule.rgb, rule * u_rule.a);
  float shade = (1.0 - lit(v_world)) * u_dark * (1.0 - smoothstep(0.5, 0.95, r));
  a = max(a, shade);
  color = vec4(mix(c, vec3(0.03, 0.05, 0.09), shade) * a, a);
}`;
