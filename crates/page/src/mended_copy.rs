//! The mended copy that the doctor makes of a model file. The page shows the stored model or
//! the copy, and on request draws the other one as a ghost in its pictures.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use bindpose_doctor::{Container, MendError, Mended, mended_name, mending};
use bindpose_gltf::{ModelOpening, ModelSource, MovedVertices, OpenError, Rig, Task};
use bindpose_lesson::Lesson;
use bindpose_notebook::{Derived, Document};
use eframe::egui::Context;

use super::work::{PageWork, repaint_callback};

/// State of the mended copy of a file, if the reader has requested one.
#[derive(Debug, Default)]
pub struct MendedCopyView {
    copy: Option<MendedCopy>,
    /// True if a cell of this frame has requested the ghost.
    is_ghost_requested: bool,
    /// True if a cell of the last frame has requested the ghost.
    shows_ghost: bool,
}

/// A mended copy. Its file is made first, then its rig, both outside of the frame.
#[derive(Debug)]
struct MendedCopy {
    /// Rig of the original file.
    stored: Arc<Rig>,
    mending: PageWork<Result<MendedFile, MendError>>,
    /// Work on the copy's rig, which starts when its file is made.
    opening: Option<PageWork<Result<Arc<Rig>, OpenError>>>,
    /// True if both models have the same topology.
    has_same_topology: OnceCell<bool>,
    ghost: Option<CachedGhost>,
}

#[derive(Debug)]
pub(crate) struct MendedFile {
    pub(crate) source: ModelSource,
    /// Sentences about what was mended and what was not.
    pub(crate) lines: Vec<String>,
}

/// Vertices of the model that is not on the page, in the pose of the page.
#[derive(Debug)]
struct CachedGhost {
    rig: Arc<Rig>,
    document: Document,
    moved: Arc<MovedVertices>,
}

/// Progress of the copy.
pub(crate) enum CopyState<'a> {
    /// Contains the progress of the current task, 0 to 1.
    UnderWay(f32),
    /// The copy was not made or its file does not open. Contains the message.
    Failed(String),
    /// The copy can be saved and shown.
    Ready(&'a MendedFile, &'a Arc<Rig>),
}

impl MendedCopyView {
    /// Starts to mend a copy of a model, unless that was started before.
    pub(crate) fn begin(&mut self, ctx: &Context, stored: &Arc<Rig>) {
        if self.copy.as_ref().is_some_and(|copy| Arc::ptr_eq(&copy.stored, stored)) {
            return;
        }
        let Some(origin) = stored.origin.clone() else { return };
        let name = mended_name(&origin.source.name);
        let container = Container::from_file_name(&name).unwrap_or(Container::Glb);
        let beside = origin.source.beside.clone();
        let task = Task::start_paced(
            "mend",
            move |progress| {
                mending(&origin.source, container, progress).then(
                    move |mended: Result<Mended, MendError>| {
                        mended.map(|mended| MendedFile::new(mended, name, beside))
                    },
                )
            },
            repaint_callback(ctx),
        );
        self.copy = Some(MendedCopy {
            stored: Arc::clone(stored),
            mending: PageWork::started(task),
            opening: None,
            has_same_topology: OnceCell::new(),
            ghost: None,
        });
    }

    /// Prepares a frame, which shows the ghost if a cell of the last one requested it.
    pub(crate) fn before_frame(&mut self) {
        self.shows_ghost = std::mem::take(&mut self.is_ghost_requested);
    }

    /// Requests the ghost in the pictures. Called in each frame that shows it.
    pub(crate) fn show_ghost(&mut self, ctx: &Context) {
        self.is_ghost_requested = true;
        if !self.shows_ghost {
            ctx.request_repaint();
        }
    }

    /// Returns the progress of the copy. If `waits` is true, the frame waits for the copy.
    ///
    /// Returns `None` if no copy was requested or the page shows neither the stored model
    /// nor the copy. The copy is then dropped.
    pub(crate) fn state(
        &mut self,
        ctx: &Context,
        on_page: &Arc<Rig>,
        waits: bool,
    ) -> Option<CopyState<'_>> {
        let copy = self.copy.as_mut()?;
        copy.advance(ctx, waits);
        if !Arc::ptr_eq(&copy.stored, on_page) && !copy.is_on(on_page) {
            self.copy = None;
        }
        self.copy.as_ref().map(MendedCopy::state)
    }

    /// Returns the vertices of the ghost: of the model that is not on the page, in the pose of
    /// the page.
    ///
    /// Returns `None` if no cell has requested the ghost or the two models have different
    /// topologies.
    pub(crate) fn ghost(
        &mut self,
        lesson: &Lesson,
        document: &Document,
        on_page: &Arc<Rig>,
    ) -> Option<Arc<MovedVertices>> {
        if !self.shows_ghost {
            return None;
        }
        let copy = self.copy.as_mut()?;
        let copy_rig = Arc::clone(copy.rig()?);
        let ghost_rig = if Arc::ptr_eq(&copy_rig, on_page) {
            Arc::clone(&copy.stored)
        } else if Arc::ptr_eq(&copy.stored, on_page) {
            copy_rig
        } else {
            return None;
        };
        if !*copy.has_same_topology.get_or_init(|| has_same_topology(on_page, &ghost_rig)) {
            return None;
        }
        let cached = copy
            .ghost
            .take()
            .filter(|ghost| Arc::ptr_eq(&ghost.rig, &ghost_rig) && ghost.document == *document)
            .unwrap_or_else(|| {
                let derived = Derived::of_document(document, Some(lesson), &ghost_rig);
                CachedGhost {
                    rig: ghost_rig,
                    document: document.clone(),
                    moved: Arc::new(derived.moved()),
                }
            });
        Some(Arc::clone(&copy.ghost.insert(cached).moved))
    }

    /// Returns the rig of the original file if the mended copy is on the page.
    pub(crate) fn stored_rig_of_copy(&self, on_page: &Arc<Rig>) -> Option<&Arc<Rig>> {
        self.copy.as_ref().filter(|copy| copy.is_on(on_page)).map(|copy| &copy.stored)
    }
}

/// Compares the number of vertices, the triangles and the lines.
fn has_same_topology(a: &Rig, b: &Rig) -> bool {
    a.mesh.positions.len() == b.mesh.positions.len()
        && a.mesh.triangles == b.mesh.triangles
        && a.mesh.lines == b.mesh.lines
}

impl MendedFile {
    fn new(mended: Mended, name: String, beside: BTreeMap<String, Arc<[u8]>>) -> Self {
        let mut lines: Vec<String> = mended.words.iter().map(|&line| line.to_owned()).collect();
        lines.extend(mended.withheld.iter().map(|kept| kept.reason.to_owned()));
        lines.extend(mended.left().map(|finding| format!("Not mended: {}", finding.title)));
        Self { source: ModelSource { name, main: mended.bytes.into(), beside }, lines }
    }
}

impl MendedCopy {
    /// Receives results, and starts to open the copy when its file is made.
    fn advance(&mut self, ctx: &Context, waits: bool) {
        self.mending.advance(waits);
        let PageWork::Done(Ok(file)) = &self.mending else { return };
        let opening = self.opening.get_or_insert_with(|| {
            let source = file.source.clone();
            PageWork::started(Task::start_paced(
                "open",
                move |progress| {
                    let opening = ModelOpening::new(&source, progress).into_paced();
                    opening.then(|rig: Result<Rig, OpenError>| rig.map(Arc::new))
                },
                repaint_callback(ctx),
            ))
        });
        opening.advance(waits);
    }

    fn state(&self) -> CopyState<'_> {
        match (&self.mending, &self.opening) {
            (PageWork::UnderWay(task), _) => CopyState::UnderWay(task.fraction()),
            (PageWork::Done(Err(error)), _) => CopyState::Failed(error.to_string()),
            (_, Some(PageWork::UnderWay(task))) => CopyState::UnderWay(task.fraction()),
            (_, Some(PageWork::Done(Err(error)))) => CopyState::Failed(error.to_string()),
            (PageWork::Done(Ok(file)), Some(PageWork::Done(Ok(rig)))) => {
                CopyState::Ready(file, rig)
            }
            _ => {
                let message = "That broke off by a fault of this program. Please report it, with \
                               the file if you can.";
                CopyState::Failed(message.to_owned())
            }
        }
    }

    /// Returns the rig of the copy. Returns `None` until its file is open.
    fn rig(&self) -> Option<&Arc<Rig>> {
        match &self.opening {
            Some(PageWork::Done(Ok(rig))) => Some(rig),
            _ => None,
        }
    }

    /// Returns true if the page shows the copy.
    fn is_on(&self, on_page: &Arc<Rig>) -> bool {
        self.rig().is_some_and(|rig| Arc::ptr_eq(rig, on_page))
    }
}
