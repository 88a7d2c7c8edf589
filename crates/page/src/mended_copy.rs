//! The copy of a file that the doctor has mended, beside the file: one of the two is on
//! the page, and the other is shown faint in its pictures where the reader asks.

use std::cell::OnceCell;
use std::sync::Arc;

use bindpose_asset::doctor::{Container, MendError, Mended, mended_name, mending};
use bindpose_asset::{ModelOpening, ModelSource, MovedVertices, OpenError, Rig, Task};
use bindpose_lesson::Lesson;
use bindpose_notebook::{Derived, Document};
use eframe::egui::Context;

use super::work::{PageWork, waking};

/// What the page knows of the mended copy of one file; nothing for most.
#[derive(Debug, Default)]
pub struct MendedCopyView {
    copy: Option<MendedCopy>,
    /// Does a cell of this frame ask for the ghost, and did one of the last?
    asked: bool,
    is_shown: bool,
}

/// Worked out beside the page: first the bytes, then the rig.
#[derive(Debug)]
struct MendedCopy {
    /// As its file has it.
    stored: Arc<Rig>,
    mending: PageWork<Result<MendedFile, MendError>>,
    /// Begun as soon as there are bytes.
    opening: Option<PageWork<Result<Arc<Rig>, OpenError>>>,
    /// Have both the same vertices and triangles?
    is_alike: OnceCell<bool>,
    ghost: Option<LastGhost>,
}

/// A mended file, and what was done to it.
#[derive(Debug)]
pub(crate) struct MendedFile {
    /// To keep.
    pub(crate) source: ModelSource,
    /// What was mended and what was not, in sentences.
    pub(crate) lines: Vec<String>,
}

/// The model that is not on the page, in the pose of the page.
#[derive(Debug)]
struct LastGhost {
    of: Arc<Rig>,
    document: Document,
    moved: Arc<MovedVertices>,
}

/// How far the copy is.
pub(crate) enum CopyState<'a> {
    /// Bytes or rig are being worked out.
    UnderWay(f32),
    /// There is none, or it does not open, in words.
    Failed(String),
    /// It can be saved and shown.
    Ready(&'a MendedFile, &'a Arc<Rig>),
}

impl MendedCopyView {
    /// Begins to mend a copy of this model, unless that was begun before.
    pub(crate) fn begin(&mut self, ctx: &Context, stored: &Arc<Rig>) {
        if self.copy.as_ref().is_some_and(|copy| Arc::ptr_eq(&copy.stored, stored)) {
            return;
        }
        let Some(origin) = stored.origin.clone() else { return };
        let name = mended_name(&origin.source.name);
        let container = Container::from_file_name(&name).unwrap_or(Container::Glb);
        let beside = origin.source.beside.clone();
        let of_copy = move |mended: Result<Mended, MendError>| {
            let mended = mended?;
            let mut lines: Vec<String> = mended.words.iter().map(|&done| done.to_owned()).collect();
            lines.extend(mended.left().map(|finding| format!("Not mended: {}", finding.title)));
            Ok(MendedFile {
                source: ModelSource { name, main: mended.bytes.into(), beside },
                lines,
            })
        };
        let task = Task::start_paced(
            "mend",
            move |progress| mending(&origin.source, container, progress).then(of_copy),
            waking(ctx),
        );
        self.copy = Some(MendedCopy {
            stored: Arc::clone(stored),
            mending: PageWork::begun(task),
            opening: None,
            is_alike: OnceCell::new(),
            ghost: None,
        });
    }

    /// Before a frame: what the cells of the last one asked for is shown.
    pub(crate) fn before_frame(&mut self) {
        self.is_shown = std::mem::take(&mut self.asked);
    }

    /// Asks for the ghost in pictures, for this frame.
    pub(crate) fn show_ghost(&mut self, ctx: &Context) {
        self.asked = true;
        if !self.is_shown {
            ctx.request_repaint();
        }
    }

    /// How far the copy is, of the model on the page or as that model; absent where none
    /// was asked for. `waits`: the frame waits for it.
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

    /// The one of file and copy that is not on the page, where a cell asks for it: in the
    /// pose of the page, vertex for vertex. Absent where the two have other vertices or
    /// triangles.
    pub(crate) fn ghost(
        &mut self,
        lesson: &Lesson,
        document: &Document,
        on_page: &Arc<Rig>,
    ) -> Option<Arc<MovedVertices>> {
        let copy = self.copy.as_mut().filter(|_| self.is_shown)?;
        let rig = Arc::clone(copy.copy()?);
        let other = match (Arc::ptr_eq(&rig, on_page), Arc::ptr_eq(&copy.stored, on_page)) {
            (true, _) => Arc::clone(&copy.stored),
            (_, true) => rig,
            _ => return None,
        };
        let alike = || {
            let (a, b) = (&on_page.mesh, &other.mesh);
            a.positions.len() == b.positions.len()
                && a.triangles == b.triangles
                && a.lines == b.lines
        };
        if !*copy.is_alike.get_or_init(alike) {
            return None;
        }
        let is_it = |last: &LastGhost| Arc::ptr_eq(&last.of, &other) && last.document == *document;
        let last = copy.ghost.take().filter(is_it).unwrap_or_else(|| {
            let influences = Derived::edited_influences(document, &other);
            let there = Derived::new(document, Some(lesson), &other, influences);
            LastGhost { of: other, document: document.clone(), moved: Arc::new(there.moved()) }
        });
        Some(Arc::clone(&copy.ghost.insert(last).moved))
    }

    /// The model as its file has it, while its mended copy is on the page.
    pub(crate) fn stored_of(&self, on_page: &Arc<Rig>) -> Option<&Arc<Rig>> {
        self.copy.as_ref().filter(|copy| copy.is_on(on_page)).map(|copy| &copy.stored)
    }
}

impl MendedCopy {
    fn advance(&mut self, ctx: &Context, waits: bool) {
        self.mending.advance(waits);
        let PageWork::Done(Ok(file)) = &self.mending else { return };
        let opening = self.opening.get_or_insert_with(|| {
            let source = file.source.clone();
            let open = |rig: Result<Rig, OpenError>| rig.map(Arc::new);
            PageWork::begun(Task::start_paced(
                "open",
                move |progress| ModelOpening::new(&source, progress).into_paced().then(open),
                waking(ctx),
            ))
        });
        opening.advance(waits);
    }

    fn state(&self) -> CopyState<'_> {
        let broken = "That broke off by a fault of this program. Please report it, with the file \
                      if you can.";
        match (&self.mending, &self.opening) {
            (PageWork::UnderWay(task), _) => CopyState::UnderWay(task.fraction()),
            (PageWork::Done(Err(why)), _) => CopyState::Failed(why.to_string()),
            (_, Some(PageWork::UnderWay(task))) => CopyState::UnderWay(task.fraction()),
            (_, Some(PageWork::Done(Err(why)))) => CopyState::Failed(why.to_string()),
            (PageWork::Done(Ok(file)), Some(PageWork::Done(Ok(rig)))) => {
                CopyState::Ready(file, rig)
            }
            _ => CopyState::Failed(broken.to_owned()),
        }
    }

    fn copy(&self) -> Option<&Arc<Rig>> {
        match &self.opening {
            Some(PageWork::Done(Ok(rig))) => Some(rig),
            _ => None,
        }
    }

    fn is_on(&self, page: &Arc<Rig>) -> bool {
        self.copy().is_some_and(|copy| Arc::ptr_eq(copy, page))
    }
}
