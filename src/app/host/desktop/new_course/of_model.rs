//! Facts about a model for the template of a lesson: a joint that moves a part of the model, a
//! vertex that follows this joint, and the positions of that vertex.

use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::{ParamKind, Rig, bounds_of};
use bindpose_skin::{JointIndex, Method};
use glam::Vec3;

/// Maximum number of angles of a model to try.
const MAX_TRIED_ANGLES: usize = 64;
/// Angle that solves the exercise of the template.
const SOLVED_RAD: f64 = 40.0 * std::f64::consts::PI / 180.0;
/// Angle of the exercise's guess.
const GUESSED_RAD: f64 = 60.0 * std::f64::consts::PI / 180.0;
/// Minimum movement of a vertex that counts as moved, relative to the model's size.
const MIN_MOVED: f32 = 1e-4;
/// Minimum movement of a vertex whose position can be guessed, relative to the model's size.
const MIN_GUESSABLE_MOVE: f32 = 0.02;
/// Maximum length of a joint name in the text.
const MAX_NAME_LETTERS: usize = 40;

/// The joint and vertex of the lesson.
pub(super) struct ModelFacts<'a> {
    rig: &'a Rig,
    param: &'a str,
    joint: JointIndex,
    /// A vertex whose weight for the joint is not 0.
    vertex: usize,
    rest_position: Vec3,
    /// Position at [`SOLVED_RAD`].
    solved_position: Vec3,
    /// Position at [`GUESSED_RAD`].
    guessed_position: Vec3,
}

/// A tried angle.
struct TriedAngle {
    param_index: usize,
    joint: JointIndex,
    /// Vertex positions at [`GUESSED_RAD`].
    positions: Vec<Vec3>,
    /// Fraction of the vertices that move.
    moved_share: f32,
}

impl TriedAngle {
    fn is_majority(&self) -> bool {
        self.moved_share > 0.5
    }
}

impl<'a> ModelFacts<'a> {
    /// Chooses the angle that moves the largest part of at most half of the model, or else the
    /// smallest larger part, because a lesson should be about a limb instead of the whole model.
    ///
    /// # Errors
    ///
    /// A diagnostic if no angle moves a vertex far enough.
    pub(super) fn find(rig: &'a Rig) -> Result<Self, Diagnostic> {
        let rest = positions(rig, None);
        let (low, high) = bounds_of(&rest);
        let size = (high - low).length();
        let mut tried_angles = try_angles(rig, &rest, size);
        tried_angles.sort_by(|a, b| {
            let by_share = a.moved_share.total_cmp(&b.moved_share);
            a.is_majority().cmp(&b.is_majority()).then(if a.is_majority() {
                by_share
            } else {
                by_share.reverse()
            })
        });
        for tried in tried_angles {
            let Some(vertex) = farthest_vertex(rig, &rest, &tried, MIN_GUESSABLE_MOVE * size)
            else {
                continue;
            };
            let param = &rig.params[tried.param_index].name;
            return Ok(Self {
                rig,
                param,
                joint: tried.joint,
                vertex,
                rest_position: rest[vertex],
                solved_position: positions(rig, Some((param, SOLVED_RAD)))[vertex],
                guessed_position: tried.positions[vertex],
            });
        }
        let title = "no joint of this model can be turned so that its skin moves";
        let help = "`bindpose rigs FILE` lists its joints, `bindpose doctor FILE` says what is \
                    wrong with it";
        Err(Diagnostic::said("MODEL_UNFIT", title).help(help))
    }

    /// Returns the words of the template with their values.
    pub(super) fn template_words(&self) -> Vec<(&'static str, String)> {
        let rig = self.rig;
        let way = self.solved_position - self.rest_position;
        let axis = (0..3).max_by(|&a, &b| way[a].abs().total_cmp(&way[b].abs())).unwrap_or(0);
        let tolerance = round_to_two_digits(way[axis].abs() * 0.04);
        let decimals = digits_after_point(tolerance);
        let goal = format!("{:.decimals$}", self.solved_position[axis]);
        let guess_distance = self.rest_position.distance(self.guessed_position);
        let asked_vertex = self.vertex_without_weight();
        let weight = f64::from(weight(rig, self.vertex, self.joint));
        let joint_name = &rig.skeleton.joints()[self.joint.index()].name;
        vec![
            ("own", self.unused_param_name()),
            ("param", toml_key(self.param)),
            ("vertices", rig.mesh.positions.len().to_string()),
            ("view", if rig.flat { "front" } else { "three-quarter" }.to_owned()),
            ("joint", self.joint.0.to_string()),
            ("joint-name", joint_name_in_sentence(joint_name)),
            ("vertex", self.vertex.to_string()),
            ("weight", format!("{weight:.2}")),
            ("asked", asked_vertex.to_string()),
            ("choices", self.choices(asked_vertex)),
            ("axis", ["x", "y", "z"][axis].to_owned()),
            ("close", round_to_two_digits(guess_distance / 4.0).to_string()),
            ("goal-in-words", goal.replace('-', "−")),
            ("goal", goal),
            ("tolerance", tolerance.to_string()),
            ("decimals", decimals.to_string()),
        ]
    }

    /// Name of the lesson's own parameter, which differs from those of the model.
    fn unused_param_name(&self) -> String {
        let mut name = "swing".to_owned();
        while self.rig.param(&name).is_some() {
            name.push('_');
        }
        name
    }

    /// A vertex without weight for the joint if there is one, or else the lesson's vertex.
    fn vertex_without_weight(&self) -> usize {
        (0..self.rig.mesh.positions.len())
            .find(|&vertex| weight(self.rig, vertex, self.joint) == 0.0)
            .unwrap_or(self.vertex)
    }

    /// Formats the choices yes and no. The right one is marked, and both have a proof.
    fn choices(&self, vertex: usize) -> String {
        let has_weight = weight(self.rig, vertex, self.joint) > 0.0;
        let yes = self.choice("Yes.", vertex, ">", has_weight);
        let no = self.choice("No.", vertex, "==", !has_weight);
        format!("{yes}\n{no}")
    }

    fn choice(&self, text: &str, vertex: usize, comparison: &str, is_right: bool) -> String {
        let reply = "Press its name, and the picture marks it. Then drag the swing and watch it.";
        let answer = if is_right {
            "right = true".to_owned()
        } else {
            format!("reply = {}", toml_string(reply))
        };
        let text = toml_string(text);
        let joint = self.joint.0;
        let when = toml_string(&format!("weight(v{vertex},{joint}) {comparison} 0"));
        format!("    {{ text = {text}, {answer}, when = {when} }},")
    }
}

/// Finds the vertex that follows an angle farthest, weighted by its joint. Returns `None` if it
/// moves by no more than `min_move`.
fn farthest_vertex(rig: &Rig, rest: &[Vec3], tried: &TriedAngle, min_move: f32) -> Option<usize> {
    (0..rest.len())
        .map(|vertex| {
            let distance = rest[vertex].distance(tried.positions[vertex]);
            (vertex, distance * weight(rig, vertex, tried.joint))
        })
        .max_by(|(_, a), (_, b)| a.total_cmp(b))
        .filter(|&(_, weighted_move)| weighted_move > min_move)
        .map(|(vertex, _)| vertex)
}

/// Tries all angles, and returns those that move a vertex. An angle of several joints counts as one
/// of its first joint.
fn try_angles(rig: &Rig, rest: &[Vec3], size: f32) -> Vec<TriedAngle> {
    let mut tried_angles = Vec::new();
    let mut angle_count = 0;
    for (param_index, param) in rig.params.iter().enumerate() {
        let (ParamKind::Angle { joint, .. } | ParamKind::Angles { joints: [joint, _], .. }) =
            param.kind
        else {
            continue;
        };
        angle_count += 1;
        if angle_count > MAX_TRIED_ANGLES {
            break;
        }
        let positions = positions(rig, Some((&param.name, GUESSED_RAD)));
        let moved_count =
            rest.iter().zip(&positions).filter(|(a, b)| a.distance(**b) > MIN_MOVED * size).count();
        let moved_share = moved_count as f32 / rest.len().max(1) as f32;
        if moved_share > 0.0 {
            tried_angles.push(TriedAngle { param_index, joint, positions, moved_share });
        }
    }
    tried_angles
}

/// Computes all vertices at rest, or with one parameter set to a value.
fn positions(rig: &Rig, changed: Option<(&str, f64)>) -> Vec<Vec3> {
    let posed =
        rig.posed(|name| changed.filter(|(param, _)| *param == name).map(|(_, value)| value));
    let world_from_bind = posed.world_from_bind(&rig.skeleton);
    rig.mesh.moved(&world_from_bind, &posed.morph_weights, Method::Linear).positions
}

fn weight(rig: &Rig, vertex: usize, joint: JointIndex) -> f32 {
    let Some(influences) = rig.mesh.influences.get(vertex) else {
        return 0.0;
    };
    let of_joint = influences.used().filter(|(_, other, _)| *other == joint);
    of_joint.map(|(_, _, weight)| weight).sum()
}

/// Rounds to two significant digits: `0.0234` becomes 0.023.
fn round_to_two_digits(value: f32) -> f64 {
    let text = format!("{value:.1e}");
    text.parse().unwrap_or_default()
}

/// Returns the number of decimals, at most nine, that show two digits of a number of this size.
fn digits_after_point(value: f64) -> usize {
    (0..9).find(|&digits| value * 10f64.powi(digits) >= 10.0).unwrap_or(9) as usize
}

/// Formats a key of TOML, quoted if necessary.
fn toml_key(name: &str) -> String {
    let is_bare = !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if is_bare { name.to_owned() } else { toml_string(name) }
}

/// Formats a joint name for a sentence, as in `, `jaw`,`. Returns an empty text for a name that
/// does not fit there.
fn joint_name_in_sentence(name: &str) -> String {
    let has_allowed_letters =
        name.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.' | ':'));
    let has_fitting_length = (1..=MAX_NAME_LETTERS).contains(&name.chars().count());
    if has_fitting_length && has_allowed_letters && name.trim() == name {
        format!(", `{name}`,")
    } else {
        String::new()
    }
}

/// Formats a string of TOML.
pub(super) fn toml_string(text: &str) -> String {
    toml::Value::from(text).to_string()
}
