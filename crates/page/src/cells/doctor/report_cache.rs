//! What is known of a file: worked out once, beside the page.

use std::sync::Arc;

use bindpose_asset::doctor::{
    Container, DoctorReport, MendError, Mended, examination, mended_name, mending,
};
use bindpose_asset::{Paced, RigOrigin, Task, TaskProgress};
use eframe::egui::Context;

use crate::view::SaveRequest;
use crate::work::{PageWork, waking};

/// The file that was examined last, and what mending it came to. What is under
/// way for another file stops.
#[derive(Debug, Default)]
pub(super) struct ReportCache {
    last: Option<LastReport>,
}

#[derive(Debug)]
struct LastReport {
    origin: Arc<RigOrigin>,
    report: PageWork<Arc<DoctorReport>>,
    mending: Option<PageWork<MendingOutcome>>,
}

/// What mending came to, in words, and the copy until it is taken.
#[derive(Debug)]
pub(super) struct MendingOutcome {
    pub(super) failed: bool,
    pub(super) heading: String,
    pub(super) lines: Vec<String>,
    pub(super) copy: Option<SaveRequest>,
}

impl ReportCache {
    /// What the doctor says of this file; asks when it is another than before. `waits`:
    /// the frame waits for it.
    pub(super) fn report(
        &mut self,
        origin: &Arc<RigOrigin>,
        ctx: &Context,
        waits: bool,
    ) -> &PageWork<Arc<DoctorReport>> {
        let known = self.last.take();
        let known = known.filter(|last| Arc::ptr_eq(&last.origin, origin));
        let last = self.last.insert(known.unwrap_or_else(|| {
            let source = origin.source.clone();
            let task = Task::start_paced(
                "examine",
                move |progress| examination(&source, progress).then(Arc::new),
                waking(ctx),
            );
            LastReport { origin: Arc::clone(origin), report: PageWork::begun(task), mending: None }
        }));
        last.report.advance(waits);
        &last.report
    }

    /// Begins to mend a copy of the file whose report is known.
    pub(super) fn mend(&mut self, ctx: &Context) {
        if let Some(last) = &mut self.last {
            let origin = Arc::clone(&last.origin);
            let task =
                Task::start_paced("mend", move |progress| mended(&origin, progress), waking(ctx));
            last.mending = Some(PageWork::begun(task));
        }
    }

    /// What mending that file came to, if it was asked for.
    pub(super) fn mending(&mut self, waits: bool) -> Option<&mut PageWork<MendingOutcome>> {
        let mending = self.last.as_mut()?.mending.as_mut()?;
        mending.advance(waits);
        Some(mending)
    }
}

fn mended(origin: &RigOrigin, progress: &TaskProgress) -> Paced<MendingOutcome> {
    let name = mended_name(&origin.source.name);
    let container = Container::from_file_name(&name).unwrap_or(Container::Glb);
    mending(&origin.source, container, progress).then(move |mended| told(name, mended))
}

fn told(name: String, mended: Result<Mended, MendError>) -> MendingOutcome {
    match mended {
        Err(why) => MendingOutcome {
            failed: true,
            heading: "No copy was made.".to_owned(),
            lines: vec![why.to_string()],
            copy: None,
        },
        Ok(mended) => {
            let mut lines: Vec<String> = mended.words.iter().map(|&done| done.to_owned()).collect();
            let left = mended.left();
            lines.extend(left.map(|finding| format!("Not mended: {}", finding.title)));
            MendingOutcome {
                failed: false,
                heading: "What is mended in the copy:".to_owned(),
                lines,
                copy: Some(SaveRequest { name, bytes: mended.bytes }),
            }
        }
    }
}
