//! What is known of a file, computed once and not in every frame.

use std::sync::Arc;

use crate::asset::doctor::{Container, Report, examine, mend, mended_name};
use crate::asset::{Origin, Progress};

/// The file that was examined last, and what mending it came to.
#[derive(Debug, Default)]
pub(super) struct ReportCache {
    last: Option<Last>,
}

#[derive(Debug)]
struct Last {
    origin: Arc<Origin>,
    report: Arc<Report>,
    summary: Option<MendingSummary>,
}

/// What mending came to, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MendingSummary {
    pub(super) failed: bool,
    pub(super) heading: String,
    pub(super) lines: Vec<String>,
}

impl ReportCache {
    /// What the doctor says of this file.
    pub(super) fn report(&mut self, origin: &Arc<Origin>) -> Arc<Report> {
        if let Some(last) = self.entry(origin) {
            return Arc::clone(&last.report);
        }
        let report = Arc::new(examine(&origin.source, &Progress::default()));
        self.last = Some(Last {
            origin: Arc::clone(origin),
            report: Arc::clone(&report),
            summary: None,
        });
        report
    }

    /// A mended copy: a name for it, and its bytes. `None` when none could be
    /// made; [`Self::summary`] says why.
    pub(super) fn mend(&mut self, origin: &Arc<Origin>) -> Option<(String, Vec<u8>)> {
        let name = mended_name(&origin.source.name);
        let container = Container::from_file_name(&name).unwrap_or(Container::Glb);
        let outcome = mend(&origin.source, container, &Progress::default());
        let (summary, bytes) = match outcome {
            Err(why) => (
                MendingSummary {
                    failed: true,
                    heading: "No copy was made.".to_owned(),
                    lines: vec![why.to_string()],
                },
                None,
            ),
            Ok(mended) => {
                let mut lines: Vec<String> =
                    mended.words.iter().map(|&done| done.to_owned()).collect();
                let left = mended
                    .left()
                    .map(|finding| format!("Not mended: {}", finding.title));
                lines.extend(left);
                let summary = MendingSummary {
                    failed: false,
                    heading: "What is mended in the copy:".to_owned(),
                    lines,
                };
                (summary, Some((name, mended.bytes)))
            }
        };
        if let Some(last) = self.entry(origin) {
            last.summary = Some(summary);
        }
        bytes
    }

    /// What the last mending of this file came to.
    pub(super) fn summary(&mut self, origin: &Arc<Origin>) -> Option<MendingSummary> {
        self.entry(origin)?.summary.clone()
    }

    fn entry(&mut self, origin: &Arc<Origin>) -> Option<&mut Last> {
        let same = |last: &&mut Last| Arc::ptr_eq(&last.origin, origin);
        self.last.as_mut().filter(same)
    }
}
