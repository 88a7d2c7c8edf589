//! What can be held against the 64-bit sum in this frame.

use std::sync::Arc;

use bindpose_lesson::{ProofCell, Transport, ViewportCell};
use bindpose_notebook::glsl::ShaderBlending;
use bindpose_notebook::palette_plan::{PageLoad, PaletteLoad, PalettePlan};
use bindpose_notebook::scene::Scene;
use bindpose_notebook::{GpuLimits, gpu_proof};
use bindpose_skin::{Blend, Method};

use crate::PageContext;

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
