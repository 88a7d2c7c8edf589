//! What is known of a file, computed once and not in every frame.

use std::sync::Arc;

use crate::asset::doctor::{Container, Report, examine, mend, mended_name};
use crate::asset::{Origin, Progress};

/// The file that was examined last, and what mending it came to.
#[derive(Debug, Default)]
pub(super) struct Examined {
    last: Option<Last>,
}

#[derive(Debug)]
struct Last {
    origin: Arc<Origin>,
    report: Arc<Report>,
    told: Option<Told>,
}

/// What mending came to, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) failed: bool,
    pub(super) heading: String,
    pub(super) lines: Vec<String>,
}

impl Examined {
    /// What the doctor says of this file.
    pub(super) fn report(&mut self, origin: &Arc<Origin>) -> Arc<Report> {
        if let Some(last) = self.of(origin) {
            return Arc::clone(&last.report);
        }
        let report = Arc::new(examine(&origin.source, &Progress::default()));
        self.last = Some(Last {
            origin: Arc::clone(origin),
            report: Arc::clone(&report),
            told: None,
        });
        report
    }

    /// A mended copy: a name for it, and its bytes. `None` when none could be
    /// made; [`Self::told`] says why.
    pub(super) fn mend(&mut self, origin: &Arc<Origin>) -> Option<(String, Vec<u8>)> {
        let name = mended_name(&origin.source.name);
        let container = Container::from_file_name(&name).unwrap_or(Container::Glb);
        let outcome = mend(&origin.source, container, &Progress::default());
        let (told, bytes) = match outcome {
            Err(why) => (
                Told {
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
                let told = Told {
                    failed: false,
                    heading: "What is mended in the copy:".to_owned(),
                    lines,
                };
                (told, Some((name, mended.bytes)))
            }
        };
        if let Some(last) = self.of(origin) {
            last.told = Some(told);
        }
        bytes
    }

    /// What the last mending of this file came to.
    pub(super) fn told(&mut self, origin: &Arc<Origin>) -> Option<Told> {
        self.of(origin)?.told.clone()
    }

    fn of(&mut self, origin: &Arc<Origin>) -> Option<&mut Last> {
        let same = |last: &&mut Last| Arc::ptr_eq(&last.origin, origin);
        self.last.as_mut().filter(same)
    }
}
