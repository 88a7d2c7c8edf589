//! The cover, in the place of the page: its whale stands in a notebook of its own, so
//! nothing that is done to it is remembered, undone or counted.

use bindpose_lesson::LessonSet;
use bindpose_notebook::{Edit, GpuLimits, Linked, Navigation, Notebook, PageAddress};
use bindpose_page::PageContext;
use bindpose_page::command::Command;
use bindpose_page::cover::{self, CoverChoice, CoverNotebook, CoverRoute, CoverView};
use bindpose_page::view::ViewState;
use eframe::egui::{CentralPanel, Context, Frame, Ui};

use super::Shell;
use super::rendered_viewports::RenderedViewports;

/// What is open instead of a page.
pub(super) struct Cover {
    notebook: Notebook,
    view: ViewState,
    linked: Linked,
    state: CoverView,
}

impl Cover {
    /// `None`: the whale is not here.
    fn new() -> Option<Box<Self>> {
        let set = LessonSet::from_memory(&[("0-cover", cover::PAGE, "")], "");
        let notebook = Notebook::new(set, bindpose_asset::builtin)?;
        let (view, linked) = (ViewState::default(), Linked::default());
        Some(Box::new(Self { notebook, view, linked, state: CoverView::default() }))
    }
}

impl Shell {
    /// Puts the cover before the page, which stays as it is behind it.
    pub fn open_cover(&mut self) {
        self.cover = Cover::new();
    }

    pub(super) fn cover_page(
        &mut self,
        ui: &mut Ui,
        commands: &mut Vec<Command>,
        navigation: &mut Vec<Navigation>,
    ) {
        let told = self.cover_notebook();
        let Some(cover) = &mut self.cover else { return };
        let (mut edits, mut looks) = (Vec::new(), Vec::new());
        // There the whale comes at a lower rate, which leaves time for all of it.
        let in_software =
            self.pictures.limits.as_ref().is_some_and(GpuLimits::draws_in_software);
        let mut viewports = RenderedViewports {
            renderer: self.pictures.renderer.as_mut(),
            in_full: in_software,
            first_viewport: &mut None,
        };
        cover.view.before_frame();
        cover.view.pictures.still = self.view.pictures.still;
        let paper = Frame::NONE.fill(self.look.theme.paper);
        let chosen = CentralPanel::no_frame().frame(paper).show(ui, |ui| {
            let mut page = PageContext::new(
                &cover.notebook,
                &self.look.theme,
                &mut cover.linked,
                &mut edits,
                &mut looks,
                &mut cover.view,
                &mut viewports,
                self.pictures.limits.as_ref(),
            );
            cover::ui(ui, &mut page, &mut cover.state, &told)
        });
        cover.take(ui.ctx(), &edits, &looks);
        if let Some(chosen) = chosen.inner {
            self.leave_cover_for(chosen, commands, navigation);
        }
    }

    /// Of keys, those that have a meaning here.
    pub(super) fn leave_to_cover(
        &mut self,
        commands: &mut Vec<Command>,
        navigation: &mut Vec<Navigation>,
    ) {
        if self.cover.is_none() {
            return;
        }
        use Command as C;
        let turns = |command: &C| matches!(command, C::Next | C::ReadOn | C::GoOn);
        if commands.iter().any(turns) {
            let last = self.cover_notebook().last.is_some();
            let chosen = if last { CoverChoice::Continue } else { CoverChoice::Begin };
            commands.clear();
            self.leave_cover_for(chosen, commands, navigation);
        }
        commands.retain(|command| {
            matches!(command, C::Open | C::Search | C::Keys | C::Motion | C::Theme | C::Escape)
                || matches!(command, C::ZoomIn | C::ZoomOut | C::ZoomReset)
                || matches!(command, C::Present | C::Notes | C::Contents)
        });
        if commands.iter().any(|command| matches!(command, C::Present | C::Notes | C::Contents)) {
            self.cover = None;
        }
    }

    fn leave_cover_for(
        &mut self,
        chosen: CoverChoice,
        commands: &mut Vec<Command>,
        navigation: &mut Vec<Navigation>,
    ) {
        match chosen {
            CoverChoice::Begin => {
                let first = self.notebook.set.lessons.first();
                let lesson = first.map(|lesson| lesson.slug.clone()).unwrap_or_default();
                navigation.push(Navigation::LeaveRoute);
                navigation.push(Navigation::Go(PageAddress { lesson, step: None }));
            }
            CoverChoice::Continue => {}
            CoverChoice::Follow(route) => navigation.push(Navigation::Follow(route)),
            CoverChoice::Do(command) => {
                commands.push(command);
                let over = [Command::Theme, Command::Open, Command::Search, Command::Keys];
                if over.contains(&command) {
                    return;
                }
            }
        }
        self.cover = None;
    }

    fn cover_notebook(&self) -> CoverNotebook {
        let set = &self.notebook.set;
        let document = self.notebook.document();
        let lesson = self.notebook.lesson();
        let is_first = set.lessons.first().is_some_and(|first| first.slug == lesson.slug);
        let was_here = !is_first || document.step > 0;
        let routes = set.routes.iter().map(|route| CoverRoute {
            name: route.name.clone(),
            title: route.title.clone(),
            steps: route.pages(&set.lessons).len(),
            minutes: route.minutes,
        });
        CoverNotebook {
            last: was_here.then(|| format!("{} · {}", lesson.number, document.step + 1)),
            lessons: set.lessons.len(),
            routes: routes.collect(),
        }
    }
}

impl Cover {
    /// Does what was done to the whale, and asks for the frame that shows it.
    fn take(&mut self, ctx: &Context, edits: &[Edit], looks: &[Navigation]) {
        for edit in edits {
            let _ = self.notebook.edit(edit, 1);
        }
        for look in looks {
            let _ = self.notebook.navigate(look);
        }
        self.notebook.forget_history();
        self.view.playing.after_frame();
        // What swims asks for its next frame itself.
        let only_plays = edits.iter().all(|edit| matches!(edit, Edit::PlayTo { .. }));
        if self.linked.turn() || !only_plays || !looks.is_empty() {
            ctx.request_repaint();
        }
    }
}
