//! Text and attributes of HTML.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::{
    CellKind, DataEdit, Lesson, LessonSet, LessonStep, Route, RoutePage, Setting,
};
use bindpose_notebook::inventory::InventoryForm;
use bindpose_notebook::{
    Derived, Document, Edit, Notebook, OWN_RIG, PageState, apply, lesson_rig, step_document,
};

/// Text as HTML shows it, also between the quotes of an attribute.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Around a paragraph of a text.
pub(super) const PARAGRAPH: (&str, &str) = ("<p>", "</p>");
/// The same of what may be overlooked.
pub(super) const QUIET: (&str, &str) = ("<p class=\"quiet\">", "</p>");

/// Short text, in which `` `code` `` is set in monospace.
pub(crate) fn note(text: &str) -> String {
    let mut out = String::new();
    for (part, words) in text.split('`').enumerate() {
        if part % 2 == 1 {
            out.push_str("<code>");
            out.push_str(&escaped(words));
            out.push_str("</code>");
        } else {
            out.push_str(&escaped(words));
        }
    }
    out
}

// Where the HTML stands: what its steps are called there, and what leads to them.

/// Where the HTML stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HtmlPlace {
    /// One file to print.
    Paper,
    /// The pages of a site, a folder each.
    Pages,
    /// A site that is one file.
    OneFile,
}

impl HtmlPlace {
    /// The name of a step, which is the fragment of its address. In a site the
    /// notebook's own address bar has the same, so that a browser scrolls to the
    /// step before the notebook runs, without any script.
    pub fn step_id(self, lesson: &Lesson, step: usize) -> String {
        let step = lesson.steps.get(step).map_or("", |step| &step.slug);
        match self {
            Self::Paper => format!("{}.{step}", lesson.slug),
            Self::Pages => format!("step={step}"),
            Self::OneFile => format!("lesson={}&step={step}", lesson.slug),
        }
    }

    /// The address of a lesson of a site, or of one of its steps, on the page of
    /// any lesson.
    pub fn lesson_url(self, lesson: &Lesson, step: Option<usize>) -> String {
        let fragment = step.map(|step| format!("#{}", self.step_id(lesson, step)));
        match self {
            Self::Paper => fragment.unwrap_or_default(),
            Self::Pages => format!("../{}/{}", lesson.folder, fragment.unwrap_or_default()),
            Self::OneFile => fragment.unwrap_or_else(|| format!("#lesson={}", lesson.slug)),
        }
    }
}

// What a handout is handed from the page's theme: colours by role, and the faces
// of its formulas.

/// Colours of both themes, and the faces.
#[derive(Clone)]
pub struct HandoutLook {
    /// For paper, and for a light screen.
    pub light: Roles,
    /// For a dark screen.
    pub dark: Roles,
    /// The bytes of a face, by the name that formulas give it; `regular` is that
    /// of the text.
    pub face: fn(&str) -> Option<&'static [u8]>,
}

/// Red, green and blue of each role, by its name in the style sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles(pub Vec<(String, [u8; 3])>);

const STYLE: &str = include_str!("page.css");

/// The style sheet with its colours, and with the size of the paper as CSS calls
/// it.
pub(crate) fn style(look: &HandoutLook, paper: &str) -> String {
    let colors = colors(look);
    format!("{colors}@page{{size:{paper};margin:16mm 18mm}}\n{STYLE}")
}

/// The style sheet of a site's texts, with its colours.
pub fn site_style(look: &HandoutLook) -> String {
    let colors = colors(look);
    format!("{colors}@page{{margin:16mm 18mm}}\n{STYLE}")
}

fn colors(look: &HandoutLook) -> String {
    let (light, dark) = (variables(&look.light), variables(&look.dark));
    format!(
        ":root{{color-scheme:light dark;{light}}}\n\
         @media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
    )
}

fn variables(roles: &Roles) -> String {
    let mut out = String::new();
    for (name, [r, g, b]) in &roles.0 {
        let _ = write!(out, "--{name}:#{r:02x}{g:02x}{b:02x};");
    }
    out
}

// Which steps a handout has, and how each of them opens.

/// The steps of a handout, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HandoutPages {
    /// Of the whole.
    pub title: String,
    /// To plan for.
    pub minutes: u32,
    /// Is it one lesson from its beginning to its end?
    pub is_lesson: bool,
    /// By index of lesson and step.
    pub pages: Vec<HandoutPage>,
    /// A form of an inventory, in the place of steps.
    pub form: Option<HandoutForm>,
}

/// The questions of a lesson before it or after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandoutForm {
    /// Index of the lesson.
    pub lesson: usize,
    /// Which form.
    pub form: InventoryForm,
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandoutPage {
    /// Index of the lesson.
    pub lesson: usize,
    /// Index of its step.
    pub step: usize,
    /// To plan for, where that is said.
    pub minutes: Option<u32>,
}

impl HandoutPages {
    /// All steps of a lesson, by its index.
    pub fn of_lesson(set: &LessonSet, index: usize) -> Self {
        let lesson = &set.lessons[index];
        let page = |step: usize| HandoutPage { lesson: index, step, minutes: None };
        Self {
            title: lesson.title.clone(),
            minutes: lesson.minutes,
            is_lesson: true,
            pages: (0..lesson.steps.len()).map(page).collect(),
            form: None,
        }
    }

    /// A form of the inventory of a lesson, by its index.
    pub fn of_form(set: &LessonSet, index: usize, form: InventoryForm) -> Self {
        let lesson = &set.lessons[index];
        Self {
            title: lesson.title.clone(),
            form: Some(HandoutForm { lesson: index, form }),
            ..Self::default()
        }
    }
}

impl HandoutPages {
    /// The steps of a route.
    pub fn of_route(set: &LessonSet, route: &Route) -> Self {
        let pages = route.pages(&set.lessons).into_iter();
        let page = |page: RoutePage| HandoutPage {
            lesson: page.lesson,
            step: page.step,
            minutes: page.minutes,
        };
        Self {
            title: route.title.clone(),
            minutes: route.minutes,
            is_lesson: false,
            pages: pages.map(page).collect(),
            form: None,
        }
    }

    /// Is it what was learnt in several lessons, and nothing else?
    pub(super) fn is_summary(&self, set: &LessonSet) -> bool {
        let is_ending = |page: &HandoutPage| {
            let step = set.lessons.get(page.lesson).and_then(|one| one.steps.get(page.step));
            let mut cells = step.into_iter().flat_map(LessonStep::cells);
            cells.any(|cell| matches!(cell.kind, CellKind::Learnt(_)))
        };
        self.pages.len() > 1 && self.pages.iter().all(is_ending)
    }

    /// The form that is open, else the route that is followed, else the open lesson.
    pub fn in_sight(notebook: &Notebook) -> Self {
        let open = notebook.lesson();
        let mut lessons = notebook.set.lessons.iter();
        let index = lessons.position(|lesson| lesson.slug == open.slug);
        let index = index.unwrap_or(0);
        match (notebook.forms().open, notebook.route()) {
            (Some(open), _) => Self::of_form(&notebook.set, index, open.form),
            (None, Some(route)) => Self::of_route(&notebook.set, route),
            (None, None) => Self::of_lesson(&notebook.set, index),
        }
    }
}

/// A step as it opens.
pub(crate) struct OpenedStep<'a> {
    pub(crate) lesson: &'a Lesson,
    pub(super) step: &'a LessonStep,
    pub(crate) document: Document,
    pub(crate) derived: Derived,
    /// As the step opens, where something was done since.
    start: Option<Derived>,
}

impl<'a> OpenedStep<'a> {
    /// `None` where there is no such step, or no rig for it. `own`: the reader's
    /// model.
    pub(crate) fn new(
        set: &'a LessonSet,
        page: HandoutPage,
        rigs: &dyn Fn(&str) -> Option<Arc<Rig>>,
        own: Option<&Arc<Rig>>,
    ) -> Option<Self> {
        let lesson = set.lessons.get(page.lesson)?;
        let step = lesson.steps.get(page.step)?;
        let own = own.filter(|_| lesson.rig == OWN_RIG).cloned();
        let rig = own.or_else(|| lesson_rig(set, lesson.rig_at(page.step), rigs))?;
        let document = step_document(lesson, page.step, Some(&rig));
        let influences = Derived::edited_influences(&document, &rig);
        let derived = Derived::new(&document, Some(lesson), &rig, influences);
        Some(Self { lesson, step, document, derived, start: None })
    }

    /// The same step after something was done on it; as it was where that does not
    /// fit.
    pub(super) fn after(&self, settings: &[Setting], edits: &[DataEdit]) -> Self {
        let mut document = self.document.clone();
        let edit = Edit::Solve(settings.to_vec(), edits.to_vec());
        // `bindpose check` says what does not fit.
        let _ = apply(&mut document, &edit, self.lesson, &self.derived.rig);
        Self {
            derived: self.derived.of_other(&document, Some(self.lesson)),
            document,
            start: Some(self.at_start().clone()),
            ..*self
        }
    }

    /// The numbers as the step opens.
    pub(super) fn at_start(&self) -> &Derived {
        self.start.as_ref().unwrap_or(&self.derived)
    }

    pub(super) fn state(&self) -> PageState<'_> {
        PageState { document: &self.document, derived: &self.derived, lesson: self.lesson }
    }
}

// Pictures, which somebody else draws.

/// One picture of something of a lesson.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WantedPicture {
    /// Slug of the lesson.
    pub lesson: String,
    /// Of what.
    pub part: PicturedPart,
    /// In points.
    pub width: u32,
    /// In points; absent: as high as the cell is.
    pub height: Option<u32>,
}

/// What of a lesson is pictured.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PicturedPart {
    /// A cell at a step as that opens.
    Cell {
        /// Slug of the step.
        step: String,
        /// Id of the cell.
        cell: String,
    },
    /// What proves one line of what was learnt.
    Learnt {
        /// Slug of the step with the cell.
        step: String,
        /// Id of the cell.
        cell: String,
        /// Index of the line.
        line: usize,
    },
    /// The figure of a question of the inventory, or an answer that is a picture.
    Question {
        /// Id of the question.
        question: String,
        /// Index of the answer among its options; `None`: the figure.
        option: Option<usize>,
    },
}

/// A picture that is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct HandoutPicture {
    /// A PNG file.
    pub png: Vec<u8>,
    /// In points.
    pub size: [f32; 2],
    /// What it shows, for those who do not see it.
    pub words: String,
}

/// Where pictures come from.
pub trait Pictures {
    /// The picture; `None`: there is none, and the page goes without.
    fn picture(&mut self, wanted: &WantedPicture) -> Option<HandoutPicture>;
}

/// Draws pictures, one by one.
pub trait DrawPictures {
    /// One picture.
    ///
    /// Errors: why there is none, in words.
    fn draw(&mut self, wanted: &WantedPicture) -> Result<HandoutPicture, String>;
}

/// Gives none, and notes which are wanted.
#[derive(Clone, Debug, Default)]
pub struct WantedPictures(pub Vec<WantedPicture>);

impl Pictures for WantedPictures {
    fn picture(&mut self, wanted: &WantedPicture) -> Option<HandoutPicture> {
        self.0.push(wanted.clone());
        None
    }
}

/// Gives none.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPictures;

impl Pictures for NoPictures {
    fn picture(&mut self, _: &WantedPicture) -> Option<HandoutPicture> {
        None
    }
}

/// Those that were drawn before.
impl Pictures for BTreeMap<WantedPicture, HandoutPicture> {
    fn picture(&mut self, wanted: &WantedPicture) -> Option<HandoutPicture> {
        self.get(wanted).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_read_as_a_tag() {
        assert_eq!(escaped("a < b & c"), "a &lt; b &amp; c");
        assert_eq!(escaped("\"'>"), "&quot;&#39;&gt;");
        assert_eq!(note("a `<b>` c"), "a <code>&lt;b&gt;</code> c");
    }
}
