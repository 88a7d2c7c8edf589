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
//!    Weights that the document wants worked out (`notebook/computed_weights.rs`) are
//!    part of it: the rig then carries them in the place of the file’s, which it
//!    keeps beside them. What takes long is done by a `Task` beside the page
//!    (`WorkMode`), with the model’s own weights meanwhile; proofs, files and the
//!    command line wait.
//! 3. The page is laid out. The stage (`page/stage/`) pins its pictures and tries,
//!    when a step is entered, where the other cells fit; that takes some passes of
//!    the first frame and none later. Everything with a name notes where it stands
//!    (`page/stage/placed.rs`), so that `app/fit.rs` can say what of a step is out of
//!    sight. Cells read `PageContext` (document, derived, theme, what is lit) and
//!    answer by pushing `Edit`s, and a `Navigation` where the reader goes or looks
//!    from elsewhere. A viewport cell claims a rectangle and works out once what its
//!    picture shows there, a `notebook::viewport::ViewportFrame`: camera, scene,
//!    overlay, legend and words all read that.
//! 4. From the frame and the camera the cell makes a `Scene`, and hands it to the
//!    app. If it equals the last one drawn there, the picture of then is shown again;
//!    else `render` draws it into its own multisampled target, and a paint callback
//!    copies it to the page. While it moves and its frames take over 20 ms, half the
//!    width and height is drawn, and all of it in the first frame in which it stands
//!    still (`render/moving.rs`). Only window and browser ask for that
//!    (`MovingPictures`); whatever makes a file, a proof or a difference draws in
//!    full.
//! 5. Edits are applied to the document and go into the history: those of one drag as
//!    one step, under the words that undo will say (`notebook/edit_label.rs`).
//! 6. If the document changed, the same frame is laid out once more, so that nobody
//!    sees the old numbers. A number that is dragged needs no second time: it is put
//!    before the page is laid out (`shell/apply.rs`). What plays is the exception:
//!    it is shown with the next frame, which comes anyway. If only something else is lit, one more frame is
//!    asked for. Otherwise the program sleeps.

mod appearance;
mod apply;
mod class_host;
mod class_report;
mod class_view;
mod classroom;
#[cfg(not(target_arch = "wasm32"))]
mod content_check;
mod courses;
mod cover;
mod cover_page;
#[cfg(test)]
mod hand_work_tests;
mod kept_pages;
mod links;
mod model;
mod options;
mod outside;
mod overlays;
mod part;
mod pictures;
mod presenting;
mod remembered;
mod rendered_viewports;
mod steps;
mod teachers_window;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;

use bindpose_notebook::link::{NotebookSite, PagePart};
use bindpose_notebook::{Edit, LessonTime, LinkedHighlight, Navigation, Notebook};
use bindpose_page::command::Command;
use bindpose_page::presenter::bar;
use bindpose_page::search::SearchRequest;
use bindpose_page::step_heading::{ChangedStep, Put};
use bindpose_page::top_bar::CommandButtons;
use bindpose_page::view::{OpenWindows, ViewState};
use bindpose_page::widgets::{focus_ring, landmark, offer_skip_links, paint_skip_links};
use bindpose_page::{contents, not_inlined, page, top_bar, touch};
use bindpose_skin::Conventions;
use eframe::egui::{self, CentralPanel, Context, Frame, Margin, Panel, Role, Ui};
use eframe::glow;

use super::clipboard::Clipboard;
use super::exporting::{self, Exporting, today};
use super::keys::{self, KeyFocus};
use super::notice::Notices;
use super::opening::ModelOpener;
use super::prepare_context::prepare;
use super::teachers_message::NotebookConnection;
use appearance::Appearance;
use class_host::ClassHost;
use class_view::Classes;
use cover::Cover;
use kept_pages::{CrashOffer, KeptPages, SaveFailure};
use rendered_viewports::PictureDrawing;

#[cfg(not(target_arch = "wasm32"))]
use content_check::ContentCheck;

#[cfg(target_arch = "wasm32")]
pub(super) use class_host::ClassNews;
pub use options::{ShellError, ShellOptions};

/// The whole program but its window.
pub struct Shell {
    notebook: Notebook,
    host: PageHost,
    /// Shown in the place of the page.
    cover: Option<Box<Cover>>,
    /// Is it to be shown as soon as its whale is here?
    cover_is_awaited: bool,
    view: ViewState,
    linked: LinkedHighlight,
    look: Appearance,
    pictures: PictureDrawing,
    notices: Notices,
    copying: Copying,
    opening: ModelOpener,
    /// Files of the courses that are open, as far as they have any.
    courses: Vec<PathBuf>,
    exporting: Exporting,
    /// Pages of earlier runs that could not be opened yet.
    kept: KeptPages,
    #[cfg(not(target_arch = "wasm32"))]
    content_check: ContentCheck,
    save: SaveFailure,
    crash: Option<CrashOffer>,
    key_focus: KeyFocus,
    /// What keys of this frame ask of the search.
    asked_of_search: SearchRequest,
    gesture: u64,
    dragged: DraggedEdit,
    timing: StepTiming,
    classes: Classes,
    class: ClassHost,
    /// How often something was done that may have to be remembered.
    changes: u64,
    /// What [`Self::note_bench`] saw last.
    bench_noted: (bool, u64, Conventions),
    /// Was the window full screen before it was presented?
    was_full_screen: bool,
}

/// Where the page stands: in a window of the program, in a browser, in somebody's page.
struct PageHost {
    /// What of the notebook is shown.
    part: PagePart,
    /// In the web; absent where it stands nowhere.
    site: Option<NotebookSite>,
    /// As the teacher's window of a browser.
    teacher: NotebookConnection,
}

/// What is on its way to the clipboard.
struct Copying {
    clipboard: Clipboard,
    /// What is said when the text that was copied last is there.
    words: Option<&'static str>,
}

/// The edit of the number that is dragged.
#[derive(Default)]
struct DraggedEdit {
    /// The one edit of the last pass that had one, and which pass, by egui's count.
    last: Option<(u64, Edit)>,
    /// Put before this pass.
    before_pass: Option<Edit>,
}

/// How long steps are read and taught.
#[derive(Default)]
struct StepTiming {
    /// Seconds at which the step in sight came, by the window's clock; `None`: with
    /// the next frame.
    in_sight_since_secs: Option<f64>,
    lesson: LessonTime,
}

impl Shell {
    /// Opens the notebook. Without `gl` the page works and viewports say what
    /// is missing.
    ///
    /// Fails when there is no lesson, or GL is there but too old.
    pub fn new(
        ctx: &Context,
        gl: Option<Arc<glow::Context>>,
        options: ShellOptions,
    ) -> Result<Self, ShellError> {
        let ShellOptions { set, preferences, stills, site, keys, moving } = options;
        keys.put(ctx);
        let mut notebook =
            Notebook::new(set, bindpose_asset::builtin).ok_or(ShellError::NoLessons)?;
        notebook.take_memory(preferences.progress.clone(), preferences.marks.clone());
        notebook.set_today(today());
        let pictures = PictureDrawing::new(gl, moving)?;
        prepare(ctx);
        let mut shell = Self {
            notebook,
            host: PageHost { part: PagePart::Whole, site, teacher: NotebookConnection::default() },
            cover: None,
            cover_is_awaited: false,
            view: ViewState {
                windows: OpenWindows { contents: preferences.contents, ..OpenWindows::default() },
                conventions: preferences.conventions,
                ..ViewState::default()
            },
            linked: LinkedHighlight::default(),
            look: Appearance::new(&preferences),
            pictures,
            notices: Notices::default(),
            copying: Copying { clipboard: Clipboard::new(), words: None },
            opening: ModelOpener::new(&preferences.recent),
            courses: preferences.courses.clone(),
            exporting: Exporting::new(stills),
            kept: KeptPages::default(),
            #[cfg(not(target_arch = "wasm32"))]
            content_check: ContentCheck::default(),
            save: SaveFailure::default(),
            crash: None,
            key_focus: KeyFocus::default(),
            asked_of_search: SearchRequest::default(),
            gesture: 1,
            dragged: DraggedEdit::default(),
            timing: StepTiming::default(),
            classes: Classes::default(),
            class: ClassHost::default(),
            changes: 0,
            bench_noted: (preferences.bench, 0, preferences.conventions),
            was_full_screen: false,
        };
        shell.notebook.take_kept(&preferences.kept);
        shell.notebook.take_route(preferences.route.as_deref());
        shell.view.bench.open = preferences.bench;
        shell.view.knows_sources = preferences.knows_sources;
        shell.view.links.site.clone_from(&preferences.site);
        let snapshots = &mut shell.view.bench.snapshots;
        snapshots.waiting.clone_from(&preferences.snapshots);
        shell.work_beside(ctx);
        shell.open_kept(&preferences);
        shell.restyle(ctx);
        Ok(shell)
    }

    /// One frame.
    pub fn ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        if ctx.current_pass_index() == 0 {
            touch::begin_frame(&ctx);
            self.pictures.begin_frame(&ctx);
        }
        self.restyle(&ctx);
        let began = ctx.input(|input| {
            input.pointer.any_pressed()
                || input.events.iter().any(|event| {
                    matches!(
                        event,
                        egui::Event::Key { pressed: true, .. }
                            | egui::Event::AccessKitActionRequest(_)
                    )
                })
        });
        let (mut commands, mut edits) = (Vec::new(), Vec::new());
        let mut navigation = Vec::new();
        if self.view.presenter.blank {
            self.blank(&ctx);
            // The teacher goes on reading, and may turn pages behind the blank.
            self.teachers_window(&ctx, &mut commands, &mut edits, &mut navigation);
            self.apply(&ctx, &commands, &edits, &navigation);
            return;
        }
        self.view.search.give_focus_back(&ctx);
        if ctx.current_pass_index() == 0 {
            self.gesture += u64::from(began);
            self.take_opened(&ctx);
            #[cfg(not(target_arch = "wasm32"))]
            self.check_content(&ctx);
            self.take_pasted(&ctx);
            self.read_kept_model(&ctx);
            self.take_up_awaited();
            self.take_up_awaited_cover();
            self.go_with_class();
            let mut owner = self.key_focus.begin(&ctx);
            owner.is_window_typed_into = self.is_window_typed_into();
            commands = keys::pressed(&ctx, owner);
            self.leave_to_invitation(&mut commands);
            self.leave_to_part(&mut commands);
            self.leave_to_cover(&mut commands, &mut navigation);
            self.asked_of_search = self.keys_of_search(&mut commands);
        } else {
            self.asked_of_search = SearchRequest::default();
        }
        self.exporting.first_viewport = None;
        edits.extend(self.move_dragged_number(&ctx));
        self.view.before_frame();
        match self.host.part {
            PagePart::Whole => self.whole(ui, &mut commands, &mut edits, &mut navigation),
            PagePart::Stage => {
                not_inlined(|| self.stage_alone(ui, &mut edits, &mut navigation));
            }
            PagePart::TeachersWindow => not_inlined(|| {
                self.notes_alone(ui, &mut commands, &mut edits, &mut navigation);
            }),
        }
        self.view.playing.after_frame();
        self.opening.show(&ctx, &self.look.theme);
        self.exporting.update(
            &ctx,
            &mut exporting::ExportPage {
                notebook: &self.notebook,
                renderer: self.pictures.renderer.as_mut(),
                theme: &self.look.theme,
                files: &mut self.view.files,
                motion: self.view.playing.motion,
                notices: &mut self.notices,
                folder: self.opening.recent.folder(),
            },
        );
        self.save_work();
        self.standing_notices(&ctx);
        commands.extend(self.notices.show(&ctx, &self.look.theme, self.view.links.open));
        if self.pictures.has_new_report() {
            // What is said of a shader stands before the picture that says it.
            ctx.request_repaint();
        }
        self.pictures.end_frame(&ctx);
        if let Some(focused) = self.key_focus.shown(&ctx) {
            focus_ring(&ctx, &self.look.theme, focused);
        }
        self.key_focus.end(&ctx);
        self.apply(&ctx, &commands, &edits, &navigation);
        if self.copying.clipboard.update(&ctx) {
            let words = self.copying.words.take();
            self.notices.say_instead(words.unwrap_or("Copied to the clipboard."));
            ctx.request_repaint();
        }
    }

    /// The page, or what stands in its place, and what lies over it.
    fn whole(
        &mut self,
        ui: &mut Ui,
        commands: &mut Vec<Command>,
        edits: &mut Vec<Edit>,
        navigation: &mut Vec<Navigation>,
    ) {
        self.class_strip(ui, commands);
        if self.view.classroom.wall.is_some() {
            self.wall_in_class(ui, commands, edits, navigation);
        } else if self.cover.is_some() {
            not_inlined(|| self.cover_page(ui, commands, navigation));
        } else {
            self.layout(ui, commands, edits, navigation);
        }
        self.windows(ui.ctx(), commands, edits, navigation);
    }

    fn layout(
        &mut self,
        ui: &mut Ui,
        commands: &mut Vec<Command>,
        edits: &mut Vec<Edit>,
        navigation: &mut Vec<Navigation>,
    ) {
        let paper = Frame::NONE.fill(self.look.theme.paper);
        let contents = self.view.windows.contents && self.contents_beside(ui.ctx());
        Panel::top("bar")
            .exact_size(top_bar::HEIGHT)
            .frame(paper.inner_margin(Margin::symmetric(12, 0)))
            .show(ui, |ui| {
                landmark(ui, Role::Banner, "Bar");
                let skips = offer_skip_links(ui);
                let (notebook, theme) = (&self.notebook, &self.look.theme);
                let mut buttons = CommandButtons { notebook, theme, commands };
                if self.view.presenting {
                    not_inlined(|| bar::ui(ui, &mut buttons, &self.view, navigation));
                } else {
                    let bench_open = self.view.bench.open;
                    let state = top_bar::BarState { bench_open, has_contents: contents };
                    top_bar::ui(ui, &mut buttons, &state, navigation);
                }
                if let Some(target) = paint_skip_links(ui, &self.look.theme, &skips) {
                    self.view.scroll.skip_to = Some(target);
                    ui.ctx().request_repaint();
                }
            });
        if contents {
            Panel::left("contents").exact_size(contents::WIDTH).resizable(false).frame(paper).show(
                ui,
                |ui| {
                    landmark(ui, Role::Navigation, "Lessons");
                    self.contents(ui, commands, navigation);
                },
            );
        }
        CentralPanel::no_frame().frame(paper).show(ui, |ui| {
            landmark(ui, Role::Main, "Page");
            if self.notebook.awaited().is_some() {
                return self.awaited_page(ui);
            }
            self.with_page(edits, navigation, |notebook, page| {
                let mut foot = page::PageFoot {
                    changed: ChangedStep::at_step(notebook),
                    findings: notebook.findings_here(),
                    put: Put {
                        bookmarked: notebook.is_bookmarked(),
                        note: notebook.own_note(),
                        on_route: notebook.place_on_route(),
                    },
                    forms: notebook.forms(),
                    next: notebook.next_words(),
                    other_way: notebook.next_essential().or_else(|| notebook.way_back_to_route()),
                    commands,
                };
                page::ui(ui, page, &mut foot);
            });
        });
    }

    /// What lies over the page.
    fn windows(
        &mut self,
        ctx: &Context,
        commands: &mut Vec<Command>,
        edits: &mut Vec<Edit>,
        navigation: &mut Vec<Navigation>,
    ) {
        if self.view.windows.contents_over && !self.contents_beside(ctx) {
            not_inlined(|| self.contents_over(ctx, commands, navigation));
        }
        self.teachers_window(ctx, commands, edits, navigation);
        self.class_windows(ctx);
        if self.view.links.open {
            not_inlined(|| self.links(ctx));
        }
        if self.view.windows.keys {
            not_inlined(|| self.keys(ctx));
        }
        if self.view.windows.licences {
            not_inlined(|| self.licences(ctx));
        }
        if self.view.search.open {
            not_inlined(|| self.search(ctx, commands, edits, navigation));
        }
    }
}
