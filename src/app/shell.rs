//! One frame of the notebook, in a window or without one.
//!
//! # The life of a frame
//!
//! 1. Keys become `Command`s (`page/command.rs`); a command that changes something
//!    becomes an `Edit`.
//! 2. `Derived` is computed from `Document`, lesson and rig, if one of them changed:
//!    parameters, world matrices, palette, and on demand the skinned positions. It is
//!    a pure function; prose, matrices, plot and picture read the same one, so they
//!    can't disagree.
//!    Weights that the document wants computed (`notebook/computed_weights.rs`) are
//!    part of it: the rig then carries them instead of the file’s, which it keeps
//!    beside them. Long computations run in a `Task` in the background (`WorkMode`),
//!    and the page shows the model’s own weights meanwhile. Proofs, files and the
//!    command line wait for them.
//! 3. The page is laid out. The stage (`page/stage/`) pins its pictures and, when a
//!    step is entered, tries where the other cells fit. That takes some passes of
//!    the first frame and none later. Everything with a name records its rectangle
//!    (`page/view/placed.rs`), so that `app/host/desktop/fit.rs` can list the parts of a step
//!    out of sight. Cells read `PageContext` (document, derived, theme, highlight)
//!    and respond with `Requests`: an `Edit`, a `Navigation` to turn the page or
//!    move the camera, or a `Command`. A viewport cell claims a rectangle and
//!    computes the contents of its picture once, a
//!    `notebook::viewport::ViewportFrame`. Camera, scene, overlay, legend and text
//!    description all read that.
//! 4. From the frame and the camera the cell makes a `Scene`, and hands it to the
//!    app. If it equals the last one drawn there, that picture is shown again.
//!    Otherwise `render` draws it into its own multisampled target, and a paint
//!    callback copies it to the page. While it moves and its frames take over 20 ms,
//!    it is drawn at half the width and height, and at full size in the first frame
//!    without motion (`render/motion.rs`). Only window and browser request that
//!    (`MovingPictures`). Files, proofs and differences are always drawn at full size.
//! 5. Edits are applied to the document and recorded in the history. Those of one drag
//!    are one undo step, with the label of `notebook/apply_edit.rs`.
//! 6. If the document changed, the same frame is laid out once more, so that nobody
//!    sees the old numbers. A dragged number needs no second layout, because it is set
//!    before the page is laid out (`shell/apply.rs`). Playback is the exception: its
//!    edits appear with the next frame, which follows anyway. If only the highlight
//!    changed, one more frame is requested. Otherwise the program sleeps.

mod appearance;
mod apply;
mod class_host;
mod class_report;
mod class_view;
mod classroom;
mod courses;
mod cover;
mod cover_page;
#[cfg(test)]
mod hand_work_tests;
mod kept_pages;
mod links;
mod model;
mod open_windows;
mod options;
mod outside;
mod overlays;
mod part;
mod pictures;
mod presenting;
mod reading_on;
mod remembered;
mod rendered_viewports;
mod steps;
mod teachers_window;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;

use bindpose_kit::touch;
use bindpose_kit::widgets::{
    close_tips_after_keys, focus_ring, landmark, offer_skip_links, paint_skip_links,
};
use bindpose_notebook::link::{NotebookSite, PagePart};
use bindpose_notebook::{Edit, LessonTime, LinkedHighlight, Notebook};
use bindpose_page::link_window::LinkWindowState;
use bindpose_page::presenter::bar;
use bindpose_page::requests::Requests;
use bindpose_page::search::{SearchRequest, SearchState};
use bindpose_page::step_heading::{ReaderMarks, StepChanges};
use bindpose_page::top_bar::CommandButtons;
use bindpose_page::view::ViewState;
use bindpose_page::view::placed::Region;
use bindpose_page::{contents, not_inlined, page, top_bar};
use bindpose_skin::Conventions;
use eframe::egui::{self, CentralPanel, Context, Frame, Margin, Panel, Role, Ui};
use eframe::glow;

use super::exporting::{self, Exporting, today};
use super::host::{Clipboard, ContentCheck};
use super::keys::{self, KeyFocus};
use super::notice::{NoticePlace, Notices};
use super::opening::ModelOpener;
use super::prepare_context::prepare;
use super::teachers_message::NotebookConnection;
use appearance::Appearance;
use class_host::ClassHost;
use class_view::Classes;
use cover::Cover;
use kept_pages::{CrashOffer, KeptPages, SaveFailure};
use open_windows::OpenWindows;
use rendered_viewports::PictureDrawing;

pub use class_host::ClassNews;
pub use options::{ShellError, ShellOptions};

/// The whole program except its window.
pub struct Shell {
    notebook: Notebook,
    host: PageHost,
    /// Replaces the page while it is open.
    cover: Option<Box<Cover>>,
    /// True if the cover opens as soon as the whale's model is loaded.
    is_cover_pending: bool,
    view: ViewState,
    /// Requests of the page in this frame.
    requests: Requests,
    windows: OpenWindows,
    search: SearchState,
    link_window: LinkWindowState,
    linked: LinkedHighlight,
    appearance: Appearance,
    pictures: PictureDrawing,
    notices: Notices,
    copying: Copying,
    opening: ModelOpener,
    /// Files of the open courses. Courses without a file are left out.
    courses: Vec<PathBuf>,
    exporting: Exporting,
    /// Pages of earlier runs that could not be opened yet.
    kept_pages: KeptPages,
    content_check: ContentCheck,
    save: SaveFailure,
    crash: Option<CrashOffer>,
    key_focus: KeyFocus,
    /// Key presses of this frame that are for the search window.
    search_request: SearchRequest,
    gesture: u64,
    dragged: DraggedEdit,
    timing: StepTiming,
    classes: Classes,
    class: ClassHost,
    /// Number of changes that the preferences may have to save.
    changes: u64,
    bench_state: BenchState,
    /// True if the window was full screen before presenter mode.
    was_full_screen: bool,
}

/// Surroundings of the page: a window of the program, a browser, or a foreign web page
/// that embeds it.
struct PageHost {
    /// Part of the notebook that this shell shows.
    part: PagePart,
    /// Web site that serves the notebook, if any.
    site: Option<NotebookSite>,
    /// Connection to the notebook if this is the teacher's window of a browser.
    teacher: NotebookConnection,
}

/// Text being copied to the clipboard.
struct Copying {
    clipboard: Clipboard,
    /// Notice shown when the text copied last is on the clipboard.
    confirmation: Option<&'static str>,
}

/// Settings of the bench that the preferences save.
#[derive(PartialEq)]
struct BenchState {
    is_open: bool,
    snapshots_revision: u64,
    conventions: Conventions,
}

/// The edit of the number being dragged.
#[derive(Default)]
struct DraggedEdit {
    /// Edit of the last pass that had exactly one, with egui's number of that pass.
    last: Option<(u64, Edit)>,
    /// Edit applied before this pass.
    before_pass: Option<Edit>,
}

/// Times for which steps are read and taught.
#[derive(Default)]
struct StepTiming {
    /// Time at which the open step was entered, by the window's clock. `None` until the
    /// next frame sets it.
    in_sight_since_secs: Option<f64>,
    lesson: LessonTime,
}

impl Shell {
    /// Opens the notebook. Without `gl` the page works, and viewports show a message
    /// instead of a picture.
    ///
    /// # Errors
    /// Fails if there is no lesson, or if GL is too old.
    pub fn new(
        ctx: &Context,
        gl: Option<Arc<glow::Context>>,
        options: ShellOptions,
    ) -> Result<Self, ShellError> {
        let ShellOptions { set, preferences, make_stills, site, keys, moving } = options;
        keys.set_in(ctx);
        let mut notebook =
            Notebook::new(set, bindpose_rigs::builtin).ok_or(ShellError::NoLessons)?;
        notebook.take_memory(preferences.progress.clone(), preferences.marks.clone());
        notebook.set_today(today());
        let pictures = PictureDrawing::new(gl, moving)?;
        prepare(ctx);
        let mut shell = Self {
            notebook,
            host: PageHost { part: PagePart::Whole, site, teacher: NotebookConnection::default() },
            cover: None,
            is_cover_pending: false,
            view: ViewState { conventions: preferences.conventions, ..ViewState::default() },
            requests: Requests::default(),
            windows: OpenWindows { contents: preferences.contents, ..OpenWindows::default() },
            search: SearchState::default(),
            link_window: LinkWindowState::default(),
            linked: LinkedHighlight::default(),
            appearance: Appearance::new(&preferences),
            pictures,
            notices: Notices::default(),
            copying: Copying { clipboard: Clipboard::new(), confirmation: None },
            opening: ModelOpener::new(&preferences.recent),
            courses: preferences.courses.clone(),
            exporting: Exporting::new(make_stills),
            kept_pages: KeptPages::default(),
            content_check: ContentCheck::default(),
            save: SaveFailure::default(),
            crash: None,
            key_focus: KeyFocus::default(),
            search_request: SearchRequest::default(),
            gesture: 1,
            dragged: DraggedEdit::default(),
            timing: StepTiming::default(),
            classes: Classes::default(),
            class: ClassHost::default(),
            changes: 0,
            bench_state: BenchState {
                is_open: preferences.bench,
                snapshots_revision: 0,
                conventions: preferences.conventions,
            },
            was_full_screen: false,
        };
        shell.notebook.take_kept(&preferences.kept);
        shell.notebook.take_route(preferences.route.as_deref());
        shell.view.bench.is_open = preferences.bench;
        shell.view.knows_sources = preferences.knows_sources;
        shell.link_window.site.clone_from(&preferences.site);
        shell.view.bench.snapshots.pending_links.clone_from(&preferences.snapshots);
        shell.compute_in_background(ctx);
        shell.restore_kept_pages(&preferences);
        shell.apply_appearance(ctx);
        Ok(shell)
    }

    /// Runs one frame: input, layout, and the changes that they cause.
    pub fn ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        if ctx.current_pass_index() == 0 {
            touch::begin_frame(&ctx);
            close_tips_after_keys(&ctx);
            self.pictures.begin_frame(&ctx);
        }
        self.apply_appearance(&ctx);
        let is_new_gesture = ctx.input(|input| {
            input.pointer.any_pressed()
                || input.events.iter().any(|event| {
                    matches!(
                        event,
                        egui::Event::Key { pressed: true, .. }
                            | egui::Event::AccessKitActionRequest(_)
                    )
                })
        });
        if self.view.presenter.is_blank {
            // They open when the page is shown again.
            self.opening.collect_drops(&ctx);
            self.draw_blank_screen(&ctx);
            // The teacher can read on and turn pages while the screen is blank.
            self.draw_teachers_window(&ctx);
            self.apply_requests(&ctx);
            return;
        }
        self.search.restore_focus(&ctx);
        if ctx.current_pass_index() == 0 {
            self.gesture += u64::from(is_new_gesture);
            self.apply_opened_files(&ctx);
            self.check_content(&ctx);
            self.apply_paste(&ctx);
            self.open_kept_model(&ctx);
            self.resume_pending_action();
            self.open_pending_cover();
            self.follow_class();
            let mut owner = self.key_focus.begin_frame(&ctx);
            owner.is_window_typed_into = self.is_window_typed_into();
            let mut commands = keys::take_pressed_commands(&ctx, owner);
            commands.retain(|&command| {
                self.works_over_invitation(command) && self.works_in_part(command)
            });
            self.requests.commands = commands;
            self.handle_commands_on_cover();
            self.search_request = self.take_search_keys();
        } else {
            self.search_request = SearchRequest::default();
        }
        self.exporting.first_viewport = None;
        let dragged = self.move_dragged_number(&ctx);
        self.requests.edits.extend(dragged);
        self.view.before_frame();
        match self.host.part {
            PagePart::Whole => {
                self.draw_whole_notebook(ui);
            }
            PagePart::Stage => {
                not_inlined(|| self.draw_stage_only(ui));
            }
            PagePart::TeachersWindow => not_inlined(|| {
                self.draw_notes_only(ui);
            }),
        }
        self.view.playing.after_frame();
        self.opening.ui(&ctx, &self.appearance.theme);
        self.exporting.update(
            &ctx,
            &mut exporting::ExportPage {
                notebook: &self.notebook,
                renderer: self.pictures.renderer.as_mut(),
                theme: &self.appearance.theme,
                files: &mut self.view.files,
                motion: self.view.playing.motion,
                notices: &mut self.notices,
                folder: self.opening.recent.folder(),
            },
        );
        self.save_readers_work();
        self.draw_standing_notices(&ctx);
        let place = self.notice_place();
        let clicked = self.notices.ui(&ctx, &self.appearance.theme, place);
        self.requests.commands.extend(clicked);
        if self.pictures.has_new_report() {
            // The report of a shader is laid out before the picture that compiles it.
            ctx.request_repaint();
        }
        self.pictures.end_frame(&ctx);
        if let Some(focused) = self.key_focus.visible_focus(&ctx) {
            focus_ring(&ctx, &self.appearance.theme, focused);
        }
        self.key_focus.end_frame(&ctx);
        self.apply_requests(&ctx);
        if self.copying.clipboard.update(&ctx) {
            let confirmation = self.copying.confirmation.take();
            self.notices.set_status(confirmation.unwrap_or("Copied to the clipboard."));
            ctx.request_repaint();
        }
    }

    /// Returns the place of short messages: over the prose, so that they never cover a picture.
    fn notice_place(&self) -> NoticePlace {
        let prose = self.view.item_rects.room(Region::Prose);
        if prose.is_positive() {
            NoticePlace::OverProse(prose)
        } else if self.link_window.open || self.view.item_rects.stage.is_some() {
            NoticePlace::Bottom
        } else {
            NoticePlace::BelowBar
        }
    }

    /// Draws the page, the cover or the wall of the class, and the windows over it.
    fn draw_whole_notebook(&mut self, ui: &mut Ui) {
        self.draw_class_strip(ui);
        if self.view.classroom.wall.is_some() {
            self.wall_in_class(ui);
        } else if self.cover.is_some() {
            not_inlined(|| self.draw_cover(ui));
        } else {
            self.draw_page(ui);
        }
        self.draw_windows(ui.ctx());
    }

    fn draw_page(&mut self, ui: &mut Ui) {
        let paper = Frame::NONE.fill(self.appearance.theme.paper);
        let has_contents = self.windows.contents && self.has_room_for_contents(ui.ctx());
        Panel::top("bar")
            .exact_size(top_bar::HEIGHT_PTS)
            .frame(paper.inner_margin(Margin::symmetric(12, 0)))
            .show(ui, |ui| {
                landmark(ui, Role::Banner, "Bar");
                let skips = offer_skip_links(ui);
                let mut buttons = CommandButtons {
                    notebook: &self.notebook,
                    theme: &self.appearance.theme,
                    requests: &mut self.requests,
                };
                if self.view.presenting {
                    not_inlined(|| bar::ui(ui, &mut buttons, &self.view));
                } else {
                    let bench_open = self.view.bench.is_open;
                    let state = top_bar::BarState { bench_open, has_contents };
                    top_bar::ui(ui, &mut buttons, &state);
                }
                if let Some(target) = paint_skip_links(ui, &self.appearance.theme, &skips) {
                    self.view.scroll.skip_to = Some(target);
                    ui.ctx().request_repaint();
                }
            });
        if has_contents {
            Panel::left("contents")
                .exact_size(contents::WIDTH_PTS)
                .resizable(false)
                .frame(paper)
                .show(ui, |ui| {
                    landmark(ui, Role::Navigation, "Lessons");
                    self.draw_contents(ui);
                });
        }
        CentralPanel::no_frame().frame(paper).show(ui, |ui| {
            landmark(ui, Role::Main, "Page");
            if self.notebook.awaited().is_some() {
                return self.draw_awaited_page(ui);
            }
            self.with_page(|notebook, page| {
                let foot = page::PageExtras {
                    changed: StepChanges::at_step(notebook),
                    findings: notebook.findings_here(),
                    marks: ReaderMarks {
                        bookmarked: notebook.is_bookmarked(),
                        note: notebook.own_note(),
                        on_route: notebook.place_on_route(),
                        route_intro: notebook.route_intro(),
                    },
                    forms: notebook.forms(),
                    next: notebook.next_words(),
                    other_way: notebook.next_essential().or_else(|| notebook.way_back_to_route()),
                };
                page::ui(ui, page, &foot);
            });
        });
    }

    fn draw_windows(&mut self, ctx: &Context) {
        if self.windows.contents_over && !self.has_room_for_contents(ctx) {
            not_inlined(|| self.draw_contents_over_page(ctx));
        }
        self.draw_teachers_window(ctx);
        self.draw_class_windows(ctx);
        if self.link_window.open {
            not_inlined(|| self.draw_link_window(ctx));
        }
        if self.windows.keys {
            not_inlined(|| self.draw_keys_window(ctx));
        }
        if self.windows.licences {
            not_inlined(|| self.draw_licences_window(ctx));
        }
        if self.search.open {
            not_inlined(|| self.draw_search_window(ctx));
        }
    }
}
