//! The weight brush: its settings, and strokes as edits.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::{Arc, Weak};

use bindpose_lesson::number_text;
use glam::Vec3;

use bindpose_gltf::Mesh;
use bindpose_lesson::{Setting, Tint};
use bindpose_notebook::{Derived, Document, Edit};
use bindpose_skin::{
    Brush, BrushMode, BrushSurface, Falloff, JointIndex, MirrorPlane, PaintedStroke, Unpainted,
};

/// Minimum and maximum radius, as fractions of the size of the model.
pub const RADIUS_RANGE: (f64, f64) = (0.005, 0.5);
/// Factor by which `[` and `]` change the radius.
const RADIUS_FACTOR: f64 = 1.25;
/// Maximum distance of a joint from the mirror image of another that counts as its
/// counterpart, as a fraction of the size of the model.
const MAX_IMAGE_DISTANCE: f32 = 0.03;

/// State of the brush. Losing it does no harm.
#[derive(Debug)]
pub struct BrushState {
    /// Whether drags in a picture paint.
    pub is_on: bool,
    pub mode: BrushMode,
    /// Radius, as a fraction of the size of the model.
    pub radius: f64,
    /// Strength of one touch at the center, from 0 to 1.
    pub strength: f64,
    /// Decrease of the strength towards the edge.
    pub falloff: Falloff,
    /// Whether the weights of other joints are adjusted to keep Σw = 1.
    pub keeps_sum: bool,
    /// Axis perpendicular to the plane across which strokes are mirrored, from 0 to 2.
    /// `None` if they are not mirrored.
    pub mirror: Option<usize>,
    /// Joints whose weights are not changed.
    pub locked: BTreeSet<JointIndex>,
    /// Description of the last stroke's result. Empty before the first.
    pub message: String,
    /// Tint that was chosen before the brush was switched on.
    tint_before: Option<Tint>,
    /// Cached surface with its mesh.
    surface: Option<(Weak<Mesh>, Arc<BrushSurface>)>,
}

impl Default for BrushState {
    fn default() -> Self {
        Self {
            is_on: false,
            mode: BrushMode::default(),
            radius: 0.08,
            strength: 0.2,
            falloff: Falloff::default(),
            keeps_sum: true,
            mirror: None,
            locked: BTreeSet::new(),
            message: String::new(),
            tint_before: None,
            surface: None,
        }
    }
}

/// Returns the reason why nothing can be painted, or `None` if the brush can be used.
pub fn find_obstacle(derived: &Derived) -> Option<&'static str> {
    if derived.rig.mesh.positions.is_empty() {
        return Some("This model has no vertices to paint.");
    }
    if derived.faultless_influences().is_empty() {
        return Some("No vertex of this model is bound to a joint: it has no weights to paint.");
    }
    None
}

impl BrushState {
    /// Switches the brush on, with a tint that shows the weights of the chosen joint, or
    /// off, with the previous tint.
    pub fn toggle(&mut self, document: &Document) -> Edit {
        self.is_on = !self.is_on;
        let tint = if self.is_on {
            self.tint_before = document.state.tint;
            Some(Tint::Weight)
        } else {
            self.tint_before.take()
        };
        Edit::set(Setting::Tint(tint))
    }

    /// Switches the brush off and unlocks all joints, for another step.
    pub fn switch_off(&mut self) {
        self.is_on = false;
        self.tint_before = None;
        self.locked.clear();
        self.message.clear();
    }

    /// Enlarges or reduces the radius by one step.
    pub fn resize(&mut self, is_larger: bool) {
        let factor = if is_larger { RADIUS_FACTOR } else { 1.0 / RADIUS_FACTOR };
        self.radius = (self.radius * factor).clamp(RADIUS_RANGE.0, RADIUS_RANGE.1);
    }

    /// Returns the surface of the page's mesh, which is built once per mesh.
    pub fn surface(&mut self, derived: &Derived) -> Arc<BrushSurface> {
        let mesh = &derived.rig.mesh;
        if let Some((cached_mesh, surface)) = &self.surface
            && cached_mesh.as_ptr() == Arc::as_ptr(mesh)
        {
            return Arc::clone(surface);
        }
        let surface = Arc::new(BrushSurface::new(&mesh.positions, &mesh.triangles));
        self.surface = Some((Arc::downgrade(mesh), Arc::clone(&surface)));
        surface
    }

    /// Paints at `centers`, in bind space, for the chosen joint. If `inverted`, adding
    /// and subtracting are swapped. Returns `None` if nothing changes, with the reason in
    /// [`Self::message`].
    pub fn stroke(
        &mut self,
        (document, derived): (&Document, &Derived),
        centers: &[Vec3],
        inverted: bool,
    ) -> Option<Edit> {
        if let Some(reason) = find_obstacle(derived) {
            reason.clone_into(&mut self.message);
            return None;
        }
        let surface = self.surface(derived);
        let joint = document.state.joint;
        let plane = self.mirror.map(|axis| MirrorPlane::halving(surface.bounds(), axis));
        let max_distance = MAX_IMAGE_DISTANCE * surface.size();
        let skeleton = &derived.rig.skeleton;
        let mirror = plane.and_then(|plane| {
            let image = plane.mirrored_joint(skeleton, joint, max_distance)?;
            Some((plane, image))
        });
        let brush = Brush {
            mode: match (self.mode, inverted) {
                (BrushMode::Add, true) => BrushMode::Subtract,
                (BrushMode::Subtract, true) => BrushMode::Add,
                (mode, _) => mode,
            },
            joint,
            radius: self.radius as f32 * surface.size(),
            strength: self.strength as f32,
            falloff: self.falloff,
            keeps_sum: self.keeps_sum,
            most: document.state.weights_by.most as usize,
            locked: self.locked.clone(),
            mirror,
        };
        let painted = brush.stroke(&surface, derived.faultless_influences(), centers);
        self.message = describe_stroke(&painted);
        if plane.is_some() && mirror.is_none() {
            let _ = write!(
                self.message,
                " No joint is where joint {} has its image: this side alone.",
                joint.0
            );
        }
        let changes: Vec<_> =
            painted.changes.iter().map(|change| (change.vertex, change.after)).collect();
        (!changes.is_empty()).then_some(Edit::Paint(changes))
    }
}

/// Describes the result of a stroke.
fn describe_stroke(painted: &PaintedStroke) -> String {
    let mut text = match painted.changes.len() {
        0 => "Nothing changed".to_owned(),
        count => format!("{} changed", format_vertex_count(count)),
    };
    for (reason, &count) in &painted.unpainted {
        let reason = match reason {
            Unpainted::JointLocked => "the joint is locked",
            Unpainted::OthersLocked => "all their other joints are locked",
            Unpainted::Alone => "they follow this joint alone, and no other could take its part",
            Unpainted::Full => "locked joints have all the influences that there may be",
            Unpainted::Unbound => "they are bound to no joint",
        };
        let _ = write!(text, "; {} stay: {reason}", format_vertex_count(count));
    }
    text.push('.');
    text
}

fn format_vertex_count(count: usize) -> String {
    let number = number_text::grouped(u32::try_from(count).unwrap_or(u32::MAX));
    let noun = if count == 1 { "vertex" } else { "vertices" };
    format!("{number} {noun}")
}
