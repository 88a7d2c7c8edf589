//! A handout in the making: one picture of it in every frame of the page.

use std::collections::BTreeMap;
use std::sync::Arc;

use bindpose_asset::{Rig, builtin};
use bindpose_lesson::LessonSet;
use bindpose_notebook::Notebook;
use bindpose_notebook::export::HandoutRequest;
use bindpose_page::theme::Theme;
use bindpose_page::widgets::Tip as _;
use bindpose_paper::handout::{
    DrawPictures, HandoutPages, HandoutPicture, Pictures, WantedPicture, WantedPictures, write,
};
use bindpose_render::Renderer;
use bindpose_shipped as shipped;
use eframe::egui::{Context, ProgressBar};
use eframe::glow;

use crate::app::handout::look::look;
use crate::app::opening::{card, strong};

/// What makes something that draws the pictures of handouts: with GL, of these
/// lessons, on the reader's model.
pub type MakeStills =
    fn(&Arc<glow::Context>, LessonSet, Option<&Arc<Rig>>) -> Result<Box<dyn DrawPictures>, String>;

/// What is done, and what is left.
pub(super) struct HandoutJob {
    /// Of the file.
    pub(super) name: String,
    /// Is it to be printed, rather than saved?
    pub(super) to_print: bool,
    set: LessonSet,
    pages: HandoutPages,
    request: HandoutRequest,
    own: Option<Arc<Rig>>,
    /// In the order of the text.
    wanted: Vec<WantedPicture>,
    /// Were all files here when that was found out? What lacks its rig wants no picture.
    is_all_here: bool,
    pictures: BTreeMap<WantedPicture, HandoutPicture>,
    make: Option<MakeStills>,
    stills: Option<Box<dyn DrawPictures>>,
}

impl HandoutJob {
    /// Of the route that is followed, or of the open lesson.
    pub(super) fn new(
        name: String,
        notebook: &Notebook,
        request: HandoutRequest,
        make: Option<MakeStills>,
    ) -> Self {
        let mut job = Self {
            name,
            to_print: false,
            set: notebook.set.clone(),
            pages: HandoutPages::in_sight(notebook),
            request,
            own: notebook.own().cloned(),
            wanted: Vec::new(),
            is_all_here: false,
            pictures: BTreeMap::new(),
            make,
            stills: None,
        };
        job.find_wanted();
        job
    }

    /// Which pictures it has. What it is written with and is not here is asked for.
    fn find_wanted(&mut self) {
        let mut wanted = WantedPictures::default();
        let _ = self.written(&mut wanted);
        self.wanted = wanted.0;
        self.is_all_here = !shipped::is_any_coming();
    }

    /// What draws is made anew for the next picture; those that are drawn stay.
    pub(super) fn leave_context(&mut self) {
        self.stills = None;
    }

    /// Is it to be printed, rather than saved?
    pub(super) fn with_printing(self, to_print: bool) -> Self {
        Self { to_print, ..self }
    }

    /// Draws the next picture; the file when all are there, and the rigs and the faces of
    /// formulas, which a browser fetches when they are first asked for.
    pub(super) fn advance(
        &mut self,
        renderer: Option<&mut Renderer>,
    ) -> Result<Option<Vec<u8>>, String> {
        if shipped::is_any_coming() {
            return Ok(None);
        }
        if !self.is_all_here {
            self.find_wanted();
            return Ok(None);
        }
        let next = self.wanted.get(self.pictures.len());
        let (Some(next), Some(renderer), Some(make)) = (next, renderer, self.make) else {
            let mut pictures = std::mem::take(&mut self.pictures);
            return Ok(Some(self.written(&mut pictures).into_bytes()));
        };
        let stills = match &mut self.stills {
            Some(stills) => stills,
            none => none.insert(make(&renderer.gl(), self.set.clone(), self.own.as_ref())?),
        };
        let picture = stills.draw(next)?;
        self.pictures.insert(next.clone(), picture);
        Ok(None)
    }

    fn written(&self, pictures: &mut dyn Pictures) -> String {
        let own = self.own.as_ref();
        write(&self.set, &self.pages, self.request, &look(), &builtin, own, pictures)
    }

    /// How far it is; true when the reader wants it to stop.
    pub(super) fn show(&self, ctx: &Context, theme: &Theme) -> bool {
        let mut cancel = false;
        let (done, all) = (self.pictures.len(), self.wanted.len());
        card(ctx, theme, "handout", |ui| {
            let told = ui.label(strong("Making the handout", 15.0));
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                let bar = ProgressBar::new(done as f32 / all.max(1) as f32)
                    .desired_width(150.0)
                    .fill(theme.accent);
                ui.add(bar).labelled_by(told.id);
                ui.label(format!("{done} of {all} pictures"));
                cancel = ui.button("Cancel").tip("Cancel (Esc)").clicked();
            });
        });
        cancel
    }
}
