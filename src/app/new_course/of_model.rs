//! What the template for any model says of one: a joint that moves a part of it, a
//! vertex that goes with that joint, and where it comes to.

use bindpose_asset::{ParamKind, Rig, bounds_of};
use bindpose_diagnostic::Diagnostic;
use bindpose_skin::{JointIndex, Method};
use glam::Vec3;

/// Of a model with more angles only so many are tried.
const MOST_TRIED: usize = 64;
/// Where the exercise of the template ends, and where its guess does.
const SOLVED_RAD: f64 = 40.0 * std::f64::consts::PI / 180.0;
const GUESSED_RAD: f64 = 60.0 * std::f64::consts::PI / 180.0;
/// Vertices that move by less, as a part of the model's size, stay.
const STAYS: f32 = 1e-4;
/// A vertex that moves by less, as a part of the model's size, cannot be guessed.
const MOVES: f32 = 0.02;
/// Longer names of joints are left out of the text.
const MAX_NAME: usize = 40;

/// See the words of the template.
pub(super) struct ModelFacts<'a> {
    rig: &'a Rig,
    param: &'a str,
    joint: JointIndex,
    /// Its weight for the joint is not 0.
    vertex: usize,
    /// The vertex at rest, where the exercise ends and where the guess does.
    at_rest: Vec3,
    solved: Vec3,
    guessed: Vec3,
}

/// An angle that was tried.
struct TriedAngle {
    param: usize,
    joint: JointIndex,
    /// Positions when it is at the end of the guess.
    positions: Vec<Vec3>,
    /// How many vertices it moves, of all.
    share: f32,
}

impl<'a> ModelFacts<'a> {
    /// Fails when no angle moves anything.
    pub(super) fn of(rig: &'a Rig) -> Result<Self, Diagnostic> {
        let unfit = || {
            let title = "no joint of this model can be turned so that its skin moves";
            let help = "`bindpose rigs FILE` lists its joints, `bindpose doctor FILE` says what is \
                        wrong with it";
            Diagnostic::said("MODEL_UNFIT", title).help(help)
        };
        let rest = positions(rig, None);
        let (low, high) = bounds_of(&rest);
        let size = (high - low).length();
        let mut tried = tried(rig, &rest, size);
        // A limb rather than the whole: the largest part that is no more than half.
        tried.sort_by(|a, b| {
            let parts = (a.share > 0.5).cmp(&(b.share > 0.5));
            let by_size = a.share.total_cmp(&b.share);
            parts.then(if a.share > 0.5 { by_size } else { by_size.reverse() })
        });
        let farthest = |one: &TriedAngle| {
            let moved = |vertex: &usize| {
                let way = rest[*vertex].distance(one.positions[*vertex]);
                way * weight(rig, *vertex, one.joint)
            };
            (0..rest.len())
                .max_by(|a, b| moved(a).total_cmp(&moved(b)))
                .filter(|vertex| moved(vertex) > MOVES * size)
        };
        let mut found = tried.iter().filter_map(|one| Some((one, farthest(one)?)));
        let (chosen, vertex) = found.next().ok_or_else(unfit)?;
        let param = &rig.params[chosen.param];
        let solved = positions(rig, Some((&param.name, SOLVED_RAD)));
        Ok(Self {
            rig,
            param: &param.name,
            joint: chosen.joint,
            vertex,
            at_rest: rest[vertex],
            solved: solved[vertex],
            guessed: chosen.positions[vertex],
        })
    }

    /// What stands in the places of the template's words.
    pub(super) fn words(&self) -> Vec<(&'static str, String)> {
        let rig = self.rig;
        let way = self.solved - self.at_rest;
        let axis = (0..3).max_by(|&a, &b| way[a].abs().total_cmp(&way[b].abs())).unwrap_or(0);
        let tolerance = two_digits(way[axis].abs() * 0.04);
        let decimals = digits_after_point(tolerance);
        let goal = format!("{:.decimals$}", self.solved[axis]);
        let asked = self.vertex_to_ask_for();
        let weight = f64::from(weight(rig, self.vertex, self.joint));
        let of_joint = &rig.skeleton.joints()[self.joint.index()].name;
        vec![
            ("own", self.own_name()),
            ("param", key_in_toml(self.param)),
            ("vertices", rig.mesh.positions.len().to_string()),
            ("view", if rig.flat { "front" } else { "three-quarter" }.to_owned()),
            ("joint", self.joint.0.to_string()),
            ("joint-name", in_prose(of_joint)),
            ("vertex", self.vertex.to_string()),
            ("weight", format!("{weight:.2}")),
            ("asked", asked.to_string()),
            ("choices", self.choices(asked)),
            ("axis", ["x", "y", "z"][axis].to_owned()),
            ("close", two_digits(self.at_rest.distance(self.guessed) / 4.0).to_string()),
            ("goal-in-words", goal.replace('-', "−")),
            ("goal", goal),
            ("tolerance", tolerance.to_string()),
            ("decimals", decimals.to_string()),
        ]
    }

    /// The lesson's own parameter, unless the model has one of that name.
    fn own_name(&self) -> String {
        let mut name = "swing".to_owned();
        while self.rig.param(&name).is_some() {
            name.push('_');
        }
        name
    }

    /// One without a weight for the joint, where there is one.
    fn vertex_to_ask_for(&self) -> usize {
        let mut vertices = 0..self.rig.mesh.positions.len();
        let without = vertices.find(|&vertex| weight(self.rig, vertex, self.joint) == 0.0);
        without.unwrap_or(self.vertex)
    }

    /// Yes and no, the right one marked and proven.
    fn choices(&self, asked: usize) -> String {
        let joint = self.joint.0;
        let yes = weight(self.rig, asked, self.joint) > 0.0;
        let reply = "Press its name, and the picture marks it. Then drag the swing and watch it.";
        let choice = |text: &str, formula: &str, right: bool| {
            let answer = if right {
                "right = true".to_owned()
            } else {
                format!("reply = {}", in_toml(reply))
            };
            let when = format!("weight(v{asked},{joint}) {formula} 0");
            format!("    {{ text = {}, {answer}, when = {} }},", in_toml(text), in_toml(&when))
        };
        [choice("Yes.", ">", yes), choice("No.", "==", !yes)].join("\n")
    }
}

/// Every angle that moves something, by the first joint that it turns.
fn tried(rig: &Rig, rest: &[Vec3], size: f32) -> Vec<TriedAngle> {
    let angles = rig.params.iter().enumerate();
    let angles = angles.filter_map(|(at, param)| match param.kind {
        ParamKind::Angle { joint, .. } | ParamKind::Angles { joints: [joint, _], .. } => {
            Some((at, &*param.name, joint))
        }
        _ => None,
    });
    let tried = angles.take(MOST_TRIED).map(|(param, name, joint)| {
        let positions = positions(rig, Some((name, GUESSED_RAD)));
        let moved = rest.iter().zip(&positions);
        let moved = moved.filter(|(a, b)| a.distance(**b) > STAYS * size);
        let share = moved.count() as f32 / rest.len().max(1) as f32;
        TriedAngle { param, joint, positions, share }
    });
    tried.filter(|one| one.share > 0.0).collect()
}

/// All vertices at rest, or with one parameter put to a value.
fn positions(rig: &Rig, put: Option<(&str, f64)>) -> Vec<Vec3> {
    let posed = rig.posed(|name| put.filter(|(other, _)| *other == name).map(|(_, value)| value));
    let world_from_bind = posed.world_from_bind(&rig.skeleton);
    let moved = rig.mesh.moved(&world_from_bind, &posed.morph_weights, Method::Linear);
    moved.positions
}

fn weight(rig: &Rig, vertex: usize, joint: JointIndex) -> f32 {
    let influences = rig.mesh.influences.get(vertex);
    let used = influences.into_iter().flat_map(|influences| influences.used());
    used.filter(|(_, other, _)| *other == joint).map(|(_, _, weight)| weight).sum()
}

/// `0.0234` as 0.023.
fn two_digits(value: f32) -> f64 {
    let text = format!("{value:.1e}");
    text.parse().unwrap_or_default()
}

/// As many as it takes to write a number of this size with two digits, up to nine.
fn digits_after_point(value: f64) -> usize {
    (0..9).find(|&digits| value * 10f64.powi(digits) >= 10.0).unwrap_or(9) as usize
}

/// A key of TOML, in quotes where it needs them.
fn key_in_toml(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { in_toml(name) }
}

/// `, `jaw`,` within a sentence; nothing for a name that does not go there.
fn in_prose(name: &str) -> String {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.' | ':');
    let short = (1..=MAX_NAME).contains(&name.chars().count());
    if short && name.chars().all(fits) && name.trim() == name {
        format!(", `{name}`,")
    } else {
        String::new()
    }
}

/// A string of TOML.
pub(super) fn in_toml(text: &str) -> String {
    toml::Value::from(text).to_string()
}
