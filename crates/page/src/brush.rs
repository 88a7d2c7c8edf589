//! The brush for weights as the reader holds it: settings, and strokes as edits.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::{Arc, Weak};

use glam::Vec3;

use bindpose_asset::Mesh;
use bindpose_lesson::{Setting, Tint};
use bindpose_notebook::{Derived, Document, Edit, number_text};
use bindpose_skin::{
    Brush, BrushMode, BrushSurface, Falloff, JointIndex, MirrorPlane, PaintedStroke, Unpainted,
};

/// Least and largest radius, as parts of the size of the model.
pub const RADII: (f64, f64) = (0.005, 0.5);
/// What one press of `[` or `]` makes of the radius.
const RADIUS_STEP: f64 = 1.25;
/// How far from the image of a joint another is still meant, as part of the size.
const IMAGE_REACH: f32 = 0.03;

/// The brush: may be lost without harm.
#[derive(Debug)]
pub struct BrushView {
    /// Do drags in a picture paint?
    pub is_on: bool,
    /// What it does.
    pub mode: BrushMode,
    /// Radius, as part of the size of the model.
    pub radius: f64,
    /// What one touch does in the middle, 0 to 1.
    pub strength: f64,
    /// And towards the edge.
    pub falloff: Falloff,
    /// Do the other joints give and take, so that Σw stays 1?
    pub keeps_sum: bool,
    /// The axis across whose plane it is done once more, 0 to 2; `None`: nowhere.
    pub mirror: Option<usize>,
    /// Joints whose weights stay.
    pub locked: BTreeSet<JointIndex>,
    /// What came of the last stroke, in a sentence; empty before the first.
    pub said: String,
    /// The colours that were chosen before the brush was taken up.
    tint_before: Option<Tint>,
    surface: Option<(Weak<Mesh>, Arc<BrushSurface>)>,
}

impl Default for BrushView {
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
            said: String::new(),
            tint_before: None,
            surface: None,
        }
    }
}

/// Why nothing can be painted here; `None`: something can.
pub fn hindrance(derived: &Derived) -> Option<&'static str> {
    if derived.rig.mesh.positions.is_empty() {
        return Some("This model has no vertices to paint.");
    }
    if derived.meant_influences().is_empty() {
        return Some("No vertex of this model is bound to a joint: it has no weights to paint.");
    }
    None
}

impl BrushView {
    /// Takes the brush up, and shows the weights of the chosen joint; or puts it down,
    /// and shows what was shown before.
    pub fn toggled(&mut self, document: &Document) -> Edit {
        self.is_on = !self.is_on;
        let tint = if self.is_on {
            self.tint_before = document.state.tint;
            Some(Tint::Weight)
        } else {
            self.tint_before.take()
        };
        Edit::set(Setting::Tint(tint))
    }

    /// At another step it is not held, and nothing is locked.
    pub fn put_down(&mut self) {
        self.is_on = false;
        self.tint_before = None;
        self.locked.clear();
        self.said.clear();
    }

    /// Larger or smaller by one step.
    pub fn resize(&mut self, larger: bool) {
        let by = if larger { RADIUS_STEP } else { 1.0 / RADIUS_STEP };
        self.radius = (self.radius * by).clamp(RADII.0, RADII.1);
    }

    /// The vertices of the page's mesh, sorted once.
    pub fn surface(&mut self, derived: &Derived) -> Arc<BrushSurface> {
        let mesh = &derived.rig.mesh;
        let known = self.surface.as_ref();
        let known = known.filter(|(of, _)| of.as_ptr() == Arc::as_ptr(mesh));
        if let Some((_, surface)) = known {
            return Arc::clone(surface);
        }
        let surface = Arc::new(BrushSurface::new(&mesh.positions, &mesh.triangles));
        self.surface = Some((Arc::downgrade(mesh), Arc::clone(&surface)));
        surface
    }

    /// Paints at `centers`, in bind space, for the chosen joint; `inverted`: takes away
    /// what it would add, and the other way round. `None`: nothing is changed, and
    /// [`Self::said`] says why.
    pub fn stroke(
        &mut self,
        (document, derived): (&Document, &Derived),
        centers: &[Vec3],
        inverted: bool,
    ) -> Option<Edit> {
        if let Some(words) = hindrance(derived) {
            words.clone_into(&mut self.said);
            return None;
        }
        let surface = self.surface(derived);
        let joint = document.state.joint;
        let plane = self.mirror.map(|axis| MirrorPlane::halving(surface.bounds(), axis));
        let reach = IMAGE_REACH * surface.size();
        let skeleton = &derived.rig.skeleton;
        let mirror = plane.and_then(|plane| {
            let image = plane.mirrored_joint(skeleton, joint, reach)?;
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
        let painted = brush.stroke(&surface, derived.meant_influences(), centers);
        self.said = words(&painted);
        if plane.is_some() && mirror.is_none() {
            let other =
                format!(" No joint is where joint {} has its image: this side alone.", joint.0);
            self.said.push_str(&other);
        }
        let changes = painted.changes.iter();
        let changes: Vec<_> = changes.map(|one| (one.vertex, one.after)).collect();
        (!changes.is_empty()).then_some(Edit::Paint(changes))
    }
}

/// What came of a stroke.
fn words(painted: &PaintedStroke) -> String {
    let count = |count: usize| {
        let number = number_text::grouped(u32::try_from(count).unwrap_or(u32::MAX));
        let noun = if count == 1 { "vertex" } else { "vertices" };
        format!("{number} {noun}")
    };
    let mut words = match painted.changes.len() {
        0 => "Nothing changed".to_owned(),
        changed => format!("{} changed", count(changed)),
    };
    for (why, &vertices) in &painted.unpainted {
        let why = match why {
            Unpainted::JointLocked => "the joint is locked",
            Unpainted::OthersLocked => "all their other joints are locked",
            Unpainted::Alone => "they follow this joint alone, and no other could take its part",
            Unpainted::Full => "locked joints have all the influences that there may be",
            Unpainted::Unbound => "they are bound to no joint",
        };
        let _ = write!(words, "; {} stay: {why}", count(vertices));
    }
    words.push('.');
    words
}
