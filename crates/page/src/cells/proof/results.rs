//! The rows of the table and their results. While nothing moves, one row is computed per
//! frame.

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
use crate::scene_colors::scene_colors;

/// Results of the rows, kept between frames.
#[derive(Debug, Default)]
pub(super) struct ProofResults {
    /// Base scene of the last frame.
    base: Option<Scene>,
    /// Drawn scene of the last frame.
    drawn: Option<Scene>,
    rows: Vec<RowResult>,
    /// Number of the frame in which a scene last changed.
    changed_frame: Option<u64>,
    /// Number of the frame in which a row was last computed.
    computed_frame: Option<u64>,
}

/// The result of one row.
#[derive(Debug)]
pub(super) struct RowResult {
    subject: ProofSubject,
    /// The outcome, or a message for the reader.
    pub(super) outcome: Result<ProofOutcome, String>,
    /// Whether the pose or the picture has changed since.
    pub(super) is_stale: bool,
}

impl RowResult {
    pub(super) fn passes(&self) -> bool {
        self.outcome.as_ref().is_ok_and(ProofOutcome::passes)
    }
}

impl ProofResults {
    /// Marks the results as stale that have changed since the last frame. Removes all if
    /// the mesh has.
    pub(super) fn invalidate_changed(&mut self, ui: &Ui, subjects: &ProofSubjects) {
        if let Some(base) = &self.base
            && !Arc::ptr_eq(&base.mesh, &subjects.base.mesh)
        {
            self.rows.clear();
        }
        let base_changed = !has_same_outcome(self.base.as_ref(), Some(&subjects.base));
        let drawn_changed = !has_same_outcome(self.drawn.as_ref(), subjects.drawn.as_ref());
        if base_changed || drawn_changed {
            for row in &mut self.rows {
                row.is_stale |= base_changed || row.subject == ProofSubject::Drawn;
            }
            self.base = Some(subjects.base.clone());
            self.drawn.clone_from(&subjects.drawn);
            self.changed_frame = Some(ui.ctx().cumulative_frame_nr());
        }
    }

    /// Returns the result of a row, even if it is stale.
    pub(super) fn get(&self, subject: ProofSubject) -> Option<&RowResult> {
        self.rows.iter().find(|row| row.subject == subject)
    }

    /// Returns the result of a row. Returns `None` if it is stale.
    pub(super) fn get_current(&self, subject: ProofSubject) -> Option<&RowResult> {
        self.get(subject).filter(|row| !row.is_stale)
    }

    /// Computes the next row without a current result, if nothing moves. Requests another
    /// frame while there are such rows.
    pub(super) fn compute_next(
        &mut self,
        ui: &Ui,
        subjects: &ProofSubjects,
        page: &mut PageContext<'_>,
    ) {
        let Some(next) = subjects.computable().find(|subject| self.get_current(*subject).is_none())
        else {
            return;
        };
        // A gesture ends with an event, which causes a frame without a request.
        if page.view.playing.motion.playing
            || page.view.playing.clip.playing
            || ui.input(|input| input.pointer.any_down())
        {
            return;
        }
        let frame = Some(ui.ctx().cumulative_frame_nr());
        if frame != self.changed_frame && frame != self.computed_frame {
            self.computed_frame = frame;
            let outcome = compute_outcome(next, subjects, page);
            self.rows.retain(|row| row.subject != next);
            self.rows.push(RowResult { subject: next, outcome, is_stale: false });
        }
        ui.ctx().request_repaint();
    }
}

/// Returns true if a comparison of both scenes has the same outcome. Compares shared data by
/// pointer first.
fn has_same_outcome(a: Option<&Scene>, b: Option<&Scene>) -> bool {
    let (Some(a), Some(b)) = (a, b) else {
        return a.is_none() && b.is_none();
    };
    Arc::ptr_eq(&a.mesh, &b.mesh)
        && (a.influences.is_same(&b.influences) || a.influences == b.influences)
        && (Arc::ptr_eq(&a.palette, &b.palette) || a.palette == b.palette)
        && a.blend == b.blend
        && a.skinning == b.skinning
}

/// Skins a subject on the GPU and compares it with the reference.
fn compute_outcome(
    subject: ProofSubject,
    subjects: &ProofSubjects,
    page: &mut PageContext<'_>,
) -> Result<ProofOutcome, String> {
    match subject {
        ProofSubject::Combination(transport, method) => {
            let scene = gpu_proof::scene(&subjects.base, transport, method.into());
            let skinned = page.viewports.read_back_vertices(&scene)?;
            Ok(gpu_proof::compare(&scene, &skinned))
        }
        ProofSubject::Drawn => {
            let Some(drawn) = &subjects.drawn else {
                return Err("Nothing is drawn.".to_owned());
            };
            let expected = gpu_proof::scene(&subjects.base, drawn.skinning.transport, drawn.blend);
            let skinned = page.viewports.read_back_vertices(drawn)?;
            Ok(gpu_proof::compare(&expected, &skinned))
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProofSubject {
    /// The picture, with its faults and the reader's shader.
    Drawn,
    /// A transport and a method without faults, with the original shader.
    Combination(Transport, Method),
}

/// The methods of one transport.
pub(super) struct TransportGroup {
    pub(super) transport: Transport,
    /// Reason why no palette fits into this transport on the device, if so.
    pub(super) misfit: Option<String>,
    pub(super) methods: Vec<Method>,
}

impl TransportGroup {
    pub(super) fn subjects(&self) -> impl Iterator<Item = ProofSubject> {
        self.methods.iter().map(|&method| ProofSubject::Combination(self.transport, method))
    }
}

/// The scene to be skinned, and the rows of the table in this frame.
pub(super) struct ProofSubjects {
    /// Scene with the page's pose and rule for normals.
    pub(super) base: Scene,
    /// Scene of the picture, if it has faults or the reader's shader.
    pub(super) drawn: Option<Scene>,
    /// Reason why the picture cannot be compared, if so.
    pub(super) drawn_error: Option<&'static str>,
    /// The row with the transport and method of the picture.
    pub(super) picture_subject: Option<ProofSubject>,
    pub(super) groups: Vec<TransportGroup>,
}

impl ProofSubjects {
    /// Returns `None` without GL.
    pub(super) fn from_page(cell: &ProofCell, page: &PageContext<'_>) -> Option<Self> {
        let device_limits = page.limits?;
        let document = page.document;
        let limits = GpuLimits::for_device(document.state.device, Some(device_limits))?;
        let load = PageLoad::new(page.derived);

        let picture = page
            .viewport_frame(&ViewportCell::default())
            .scene_without_view(scene_colors(page.theme));
        let mut base = gpu_proof::scene(&picture, Transport::default(), Blend::default());
        // The picture's palette may be what the shader reads from an incomplete texture.
        base.palette = Arc::clone(&page.derived.palette);
        base.skinning.limits = GpuLimits::played(document.state.device, Some(device_limits));

        let fits = load.choose(document.state.transport, &limits).is_ok();
        let is_modified = !document.state.faults.is_empty() || picture.skinning.shader.is_some();
        let picture_subject = if !fits {
            None
        } else if is_modified {
            Some(ProofSubject::Drawn)
        } else {
            Method::ALL
                .into_iter()
                .find(|&method| Blend::from(method) == picture.blend)
                .map(|method| ProofSubject::Combination(picture.skinning.transport, method))
        };
        let drawn_error = picture
            .skinning
            .shader
            .as_deref()
            .and_then(|text| page.viewports.shader_report(text))
            .filter(|report| !report.findings.is_empty())
            .map(|_| "Your shader has a mistake: it computes nothing to compare.");
        let groups = listed_or_all(&cell.transports, Transport::ALL)
            .into_iter()
            .map(|transport| TransportGroup {
                transport,
                misfit: find_misfit(page, transport, &load, &limits),
                methods: listed_or_all(&cell.methods, Method::ALL),
            })
            .collect();
        Some(Self {
            base,
            drawn: (fits && is_modified).then_some(picture),
            drawn_error,
            picture_subject,
            groups,
        })
    }

    /// Returns the subjects that can be compared, in the order of the table.
    pub(super) fn computable(&self) -> impl Iterator<Item = ProofSubject> {
        let has_drawn = self.drawn.is_some() && self.drawn_error.is_none();
        let drawn = has_drawn.then_some(ProofSubject::Drawn);
        let groups = self.groups.iter().filter(|group| group.misfit.is_none());
        drawn.into_iter().chain(groups.flat_map(TransportGroup::subjects))
    }
}

/// Returns the reason why a transport cannot be used. Returns `None` if the palette of any
/// method fits.
fn find_misfit(
    page: &PageContext<'_>,
    transport: Transport,
    load: &PageLoad,
    limits: &GpuLimits,
) -> Option<String> {
    let mut first_misfit = None;
    for method in Method::ALL {
        let blending = ShaderBlending::new(method.into(), || page.derived.is_pose_stretched());
        let method_load = PaletteLoad { blending, ..load.alone };
        let misfit = PalettePlan::new(transport, method_load, limits).err()?;
        first_misfit.get_or_insert(misfit);
    }
    first_misfit.map(|misfit| misfit.to_string())
}

/// Returns the items that the lesson lists, or all if it lists none, in the order of `all`.
fn listed_or_all<T: Copy + PartialEq, const N: usize>(listed: &[T], all: [T; N]) -> Vec<T> {
    all.into_iter().filter(|item| listed.is_empty() || listed.contains(item)).collect()
}
