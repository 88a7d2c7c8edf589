//! What has been found, and when it is worked out anew: one row a frame, while
//! nothing moves.

use std::sync::Arc;

use bindpose_lesson::{ProofCell, Transport, ViewportCell};
use bindpose_notebook::GpuLimits;
use bindpose_notebook::glsl::ShaderBlending;
use bindpose_notebook::gpu_proof::{self, ProofOutcome};
use bindpose_notebook::palette_plan::{PageLoad, PaletteLoad, PalettePlan};
use bindpose_notebook::scene::Scene;
use bindpose_skin::{Blend, Method};
use eframe::egui::Ui;

use crate::PageContext;

/// Results of a table of proof.
#[derive(Debug, Default)]
pub(super) struct ProofResults {
    base: Option<Scene>,
    drawn: Option<Scene>,
    found: Vec<RowResult>,
    /// Number of the frame in which something was last different.
    changed_in: Option<u64>,
    /// Number of the frame in which a row was last computed.
    computed_in: Option<u64>,
}

/// Of one row.
#[derive(Debug)]
pub(super) struct RowResult {
    subject: ProofSubject,
    /// The error is in words for the reader.
    pub(super) result: Result<ProofOutcome, String>,
    /// Of a pose, or of a picture, that is no longer there.
    pub(super) stale: bool,
}

impl RowResult {
    pub(super) fn passes(&self) -> bool {
        self.result.as_ref().is_ok_and(ProofOutcome::passes)
    }
}

impl ProofResults {
    /// Notices what has changed since the last frame.
    pub(super) fn follow(&mut self, ui: &Ui, subjects: &Subjects) {
        let another_mesh =
            self.base.as_ref().is_some_and(|base| !Arc::ptr_eq(&base.mesh, &subjects.base.mesh));
        if another_mesh {
            self.found.clear();
        }
        let posed = !is_same(self.base.as_ref(), Some(&subjects.base));
        let redrawn = !is_same(self.drawn.as_ref(), subjects.drawn.as_ref());
        if posed || redrawn {
            for found in &mut self.found {
                found.stale |= posed || found.subject == ProofSubject::Drawn;
            }
            self.base = Some(subjects.base.clone());
            self.drawn.clone_from(&subjects.drawn);
            self.changed_in = Some(ui.ctx().cumulative_frame_nr());
        }
    }

    pub(super) fn found(&self, subject: ProofSubject) -> Option<&RowResult> {
        self.found.iter().find(|found| found.subject == subject)
    }

    /// What holds for what is shown now.
    pub(super) fn fresh(&self, subject: ProofSubject) -> Option<&RowResult> {
        self.found(subject).filter(|found| !found.stale)
    }

    /// Computes the next row that is not known, if nothing moves; asks for
    /// another frame only while there are such rows.
    pub(super) fn work(&mut self, ui: &Ui, subjects: &Subjects, page: &mut PageContext<'_>) {
        let Some(next) = subjects.computable().find(|&row| self.fresh(row).is_none()) else {
            return;
        };
        // A gesture ends with an event, which brings a frame of its own.
        if page.view.playing.motion.playing
            || page.view.playing.clip.playing
            || ui.input(|input| input.pointer.any_down())
        {
            return;
        }
        let frame = Some(ui.ctx().cumulative_frame_nr());
        if frame != self.changed_in && frame != self.computed_in {
            self.computed_in = frame;
            let result = prove(next, subjects, page);
            self.found.retain(|found| found.subject != next);
            self.found.push(RowResult { subject: next, result, stale: false });
        }
        ui.ctx().request_repaint();
    }
}

/// Is there the same to prove? Shared data is compared by pointer first.
fn is_same(a: Option<&Scene>, b: Option<&Scene>) -> bool {
    let (Some(a), Some(b)) = (a, b) else {
        return a.is_none() && b.is_none();
    };
    Arc::ptr_eq(&a.mesh, &b.mesh)
        && (a.influences.is_same(&b.influences) || a.influences == b.influences)
        && (Arc::ptr_eq(&a.palette, &b.palette) || a.palette == b.palette)
        && a.blend == b.blend
        && a.skinning == b.skinning
}

fn prove(
    subject: ProofSubject,
    subjects: &Subjects,
    page: &mut PageContext<'_>,
) -> Result<ProofOutcome, String> {
    let expected = match (subject, &subjects.drawn) {
        (ProofSubject::Combination(transport, method), _) => {
            gpu_proof::scene(&subjects.base, transport, method.into())
        }
        (ProofSubject::Drawn, Some(drawn)) => {
            gpu_proof::scene(&subjects.base, drawn.skinning.transport, drawn.blend)
        }
        (ProofSubject::Drawn, None) => return Err("Nothing is drawn.".to_owned()),
    };
    let skinned = match (subject, &subjects.drawn) {
        (ProofSubject::Drawn, Some(drawn)) => page.viewports.skinned(drawn)?,
        _ => page.viewports.skinned(&expected)?,
    };
    Ok(gpu_proof::compare(&expected, &skinned))
}

// What can be held against the 64-bit sum in this frame.

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProofSubject {
    /// The picture with its faults and the reader's shader.
    Drawn,
    /// A transport and a method without faults, with our own shader.
    Combination(Transport, Method),
}

/// The methods of one transport.
pub(super) struct TransportGroup {
    pub(super) transport: Transport,
    /// Why the device that is played does not let it through.
    pub(super) closed: Option<String>,
    pub(super) methods: Vec<Method>,
}

/// The skin, its pose, and the ways they can take.
pub(super) struct Subjects {
    /// Pose and rule for normals, as the page has them.
    pub(super) base: Scene,
    /// The picture, where it is not drawn by one of the ways.
    pub(super) drawn: Option<Scene>,
    /// Why there are no numbers of it.
    pub(super) unproven: Option<&'static str>,
    /// The way of the picture, where it is one of them.
    pub(super) marked: Option<ProofSubject>,
    pub(super) groups: Vec<TransportGroup>,
}

impl Subjects {
    /// `None` without GL.
    pub(super) fn on_page(cell: &ProofCell, page: &PageContext<'_>) -> Option<Self> {
        let here = page.limits?;
        let document = page.document;
        let limits = GpuLimits::for_device(document.state.device, Some(here))?;
        let load = PageLoad::new(page.derived);
        // A way is closed where no method's palette fits.
        let closed = |transport| {
            let misfits = Method::ALL.map(|method| {
                let blending =
                    ShaderBlending::new(method.into(), || page.derived.is_pose_stretched());
                let load = PaletteLoad { blending, ..load.alone };
                PalettePlan::new(transport, load, &limits).err()
            });
            let all = misfits.iter().all(Option::is_some);
            misfits[0].filter(|_| all).map(|misfit| misfit.to_string())
        };

        let picture =
            page.viewport_frame(&ViewportCell::default()).scene_without_view(page.theme.scene);
        let mut base = gpu_proof::scene(&picture, Transport::default(), Blend::default());
        // The picture's may be what an incomplete texture reads.
        base.palette = Arc::clone(&page.derived.palette);
        base.skinning.limits = GpuLimits::played(document.state.device, Some(here));

        let open = load.choose(document.state.transport, &limits).is_ok();
        let special = !document.state.faults.is_empty() || picture.skinning.shader.is_some();
        let marked = match picture.blend {
            _ if !open => None,
            _ if special => Some(ProofSubject::Drawn),
            blend => Method::ALL
                .into_iter()
                .find(|&method| Blend::from(method) == blend)
                .map(|method| ProofSubject::Combination(picture.skinning.transport, method)),
        };
        let unproven = picture
            .skinning
            .shader
            .as_deref()
            .and_then(|text| page.viewports.shader_report(text))
            .filter(|report| !report.findings.is_empty())
            .map(|_| "Your shader has a mistake: it computes nothing to compare.");
        Some(Self {
            base,
            drawn: (open && special).then_some(picture),
            unproven,
            marked,
            groups: chosen_or_all(&cell.transports, Transport::ALL)
                .map(|transport| TransportGroup {
                    transport,
                    closed: closed(transport),
                    methods: chosen_or_all(&cell.methods, Method::ALL).collect(),
                })
                .collect(),
        })
    }

    /// All that can be computed, in the order of the table.
    pub(super) fn computable(&self) -> impl Iterator<Item = ProofSubject> {
        let drawn = self.drawn.is_some() && self.unproven.is_none();
        let drawn = drawn.then_some(ProofSubject::Drawn);
        let open = self.groups.iter().filter(|group| group.closed.is_none());
        drawn.into_iter().chain(open.flat_map(TransportGroup::subjects))
    }
}

impl TransportGroup {
    pub(super) fn subjects(&self) -> impl Iterator<Item = ProofSubject> {
        let methods = self.methods.iter();
        methods.map(|&method| ProofSubject::Combination(self.transport, method))
    }
}

/// Those that the lesson names, in the order of all; all where it names none.
fn chosen_or_all<T: Copy + PartialEq, const N: usize>(
    chosen: &[T],
    all: [T; N],
) -> impl Iterator<Item = T> {
    all.into_iter().filter(move |one| chosen.is_empty() || chosen.contains(one))
}
