//! Which files of a list are not there: looked for beside the page, since a
//! folder of another machine may take long to answer. In a browser: which of them
//! it does not keep.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use eframe::egui::Context;

/// Looking for files.
#[derive(Debug, Default)]
pub(super) struct MissingFiles {
    looking: Option<Receiver<BTreeSet<PathBuf>>>,
    /// Was the last look asked for?
    looked: bool,
}

impl MissingFiles {
    /// Files may have come or gone.
    pub(super) fn look_again(&mut self) {
        self.looked = false;
    }

    /// Those of `paths` that are not there, when a look has ended since the last
    /// frame.
    pub(super) fn looked_for(
        &mut self,
        ctx: &Context,
        paths: &[PathBuf],
    ) -> Option<BTreeSet<PathBuf>> {
        if let Some(looking) = &self.looking {
            let found = looking.try_recv();
            if found == Err(TryRecvError::Empty) {
                return None;
            }
            self.looking = None;
            return found.ok();
        }
        if self.looked {
            return None;
        }
        self.looked = true;
        if !paths.is_empty() {
            self.looking = Some(look(ctx.clone(), paths.to_vec()));
        }
        None
    }
}

#[cfg(target_arch = "wasm32")]
fn look(ctx: Context, paths: Vec<PathBuf>) -> Receiver<BTreeSet<PathBuf>> {
    use super::kept_files::MODELS;
    use super::unopened::file_name;
    let (send, looking) = channel();
    wasm_bindgen_futures::spawn_local(async move {
        let kept = MODELS.names().await.unwrap_or_default();
        let missing = paths.into_iter();
        let missing = missing.filter(|path| !kept.contains(&file_name(path)));
        let _ = send.send(missing.collect());
        ctx.request_repaint();
    });
    looking
}

#[cfg(not(target_arch = "wasm32"))]
fn look(ctx: Context, paths: Vec<PathBuf>) -> Receiver<BTreeSet<PathBuf>> {
    let (send, looking) = channel();
    let work = move || {
        let missing = paths.into_iter().filter(|path| !path.exists());
        let _ = send.send(missing.collect());
        ctx.request_repaint();
    };
    // Without a thread nothing is known to be missing.
    let thread = std::thread::Builder::new().name("recent files".to_owned());
    let _ = thread.spawn(work);
    looking
}
