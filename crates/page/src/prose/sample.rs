//! A page for tests, with the sample rig and lesson and blocks of every kind.

use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};
use bindpose_kit::theme::Theme;
use bindpose_lesson::{
    Inline, Lesson, LessonBlock, LessonSet, LinkTarget, NumberFormat, Setting, Term,
};
use bindpose_notebook::{
    Cameras, Derived, Document, Edit, LinkedHighlight, ModelsB, StepStart, test_sample,
};
use bindpose_skin::{InverseBind, JointIndex};
use eframe::egui::Ui;

use super::blocks_ui;
use crate::PageContext;
use crate::requests::Requests;
use crate::view::{NoViewports, ViewState};

/// Owns everything that a page borrows.
pub(super) struct Sample {
    pub(super) lesson: Lesson,
    pub(super) set: LessonSet,
    pub(super) document: Document,
    pub(super) derived: Derived,
    pub(super) theme: Theme,
    pub(super) linked: LinkedHighlight,
    pub(super) requests: Requests,
    pub(super) view: ViewState,
    pub(super) blocks: Vec<LessonBlock>,
}

impl Sample {
    pub(super) fn new(blocks: Vec<LessonBlock>) -> Self {
        let at = LineColumn { line: 12, column: 3 };
        let lesson = Lesson {
            findings: vec![
                Diagnostic::said("UNKNOWN_NAME", "`veiwport` is no kind of cell")
                    .help("write `viewport`")
                    .at(Place::text("20-sample/lesson.md", at)),
            ],
            ..test_sample::lesson()
        };
        let document = Document::default();
        let rig = Arc::new(test_sample::rig());
        let mut set = LessonSet::from_memory(&[], "");
        set.glossary = vec![Term {
            slug: "inverse-bind-matrix".to_owned(),
            title: "inverse bind matrix".to_owned(),
            blocks: vec![LessonBlock::Paragraph(vec![
                text("Takes a stored vertex into the space of its joint: "),
                Inline::Math(r"B_j^{-1}".to_owned()),
                text(". glTF stores one a joint."),
            ])],
        }];
        Self {
            derived: Derived::of_document(&document, Some(&lesson), &rig),
            set,
            lesson,
            document,
            theme: Theme::light(),
            linked: LinkedHighlight::default(),
            requests: Requests::default(),
            view: ViewState::default(),
            blocks,
        }
    }

    /// Draws the blocks, then updates the state as the app does after a frame.
    pub(super) fn ui(&mut self, ui: &mut Ui) {
        let mut page = PageContext {
            lesson: &self.lesson,
            set: &self.set,
            document: &self.document,
            before: None,
            derived: &self.derived,
            start: &StepStart::default(),
            theme: &self.theme,
            linked: &mut self.linked,
            cameras: &Cameras::new(),
            requests: &mut self.requests,
            view: &mut self.view,
            viewports: &mut NoViewports,
            limits: None,
            record: None,
            models_b: ModelsB::default(),
            can_sway: false,
            at_rest: None,
        };
        blocks_ui(ui, &self.blocks, &mut page, &mut |ui, cell, _| {
            ui.label(format!("the cell {}", cell.id));
        });
        if self.linked.turn() {
            ui.ctx().request_repaint();
        }
    }

    /// Applies and returns the edits since the last call. Only parameters take their new
    /// values.
    pub(super) fn apply(&mut self) -> Vec<Edit> {
        let edits = std::mem::take(&mut self.requests.edits);
        for edit in &edits {
            if let Some((name, value)) = edit.as_param() {
                self.document.state.params.insert(name.to_owned(), value);
            }
        }
        let rig = self.derived.rig.clone();
        self.derived = Derived::of_document(&self.document, Some(&self.lesson), &rig);
        edits
    }
}

pub(super) fn text(text: &str) -> Inline {
    Inline::Text { text: text.to_owned(), strong: false, emphasis: false }
}

pub(super) fn link(text: &str, target: LinkTarget) -> Inline {
    Inline::Link { text: text.to_owned(), target }
}

pub(super) fn number(name: &str, decimals: usize, suffix: &str) -> Inline {
    let format = NumberFormat { decimals, prefix: String::new(), suffix: suffix.to_owned() };
    link("…", LinkTarget::Param(name.to_owned(), format))
}

pub(super) fn leave_out_link() -> Inline {
    let out = Setting::InverseBind(InverseBind::LeftOut);
    link("leave it out", LinkTarget::Set(vec![out]))
}

fn cells(texts: &[&str]) -> Vec<Vec<Inline>> {
    texts.iter().map(|cell| vec![text(cell)]).collect()
}

pub(super) fn every_kind_of_block() -> Vec<LessonBlock> {
    [prose_blocks(), figure_blocks()].concat()
}

fn plain_inlines() -> Vec<Inline> {
    vec![text(
        "Before the joint may move a vertex, the vertex must be told where it is as the joint sees it. That is what the inverse bind matrix does, and why it stands on the right.",
    )]
}

fn styled_text(text: &str, is_strong: bool, has_emphasis: bool) -> Inline {
    Inline::Text { text: text.to_owned(), strong: is_strong, emphasis: has_emphasis }
}

fn prose_blocks() -> Vec<LessonBlock> {
    let running = vec![
        text("The head sits "),
        number("amplitude", 2, ""),
        text(" above the floor. So does its "),
        link("joint 1", LinkTarget::Joint(JointIndex(1).into())),
        text(", which nods by "),
        number("nod", 0, "°"),
        text(". Multiply the vertex "),
        link("v1", LinkTarget::Vertex(1)),
        text(" by "),
        Inline::Code("world_from_joint".to_owned()),
        text(", that is by "),
        Inline::Math(r"M_i = G_i B_i^{-1}".to_owned()),
        text(", and "),
        styled_text("both", false, true),
        text(" count. Weights "),
        Inline::Math(r"w_i \ge 0,\ \sum_i w_i = 1".to_owned()),
        text(" share the rest, so a fraction "),
        Inline::Math(r"\frac{a}{b}".to_owned()),
        text(" fits too. Now "),
        leave_out_link(),
        text(" and see why the "),
        link("inverse bind matrix", LinkTarget::Term("inverse-bind-matrix".to_owned())),
        text(" is there. "),
        styled_text("Nothing moves at rest.", true, false),
        Inline::Break,
        link("Lesson 80", LinkTarget::Lesson { lesson: "texture-storage".to_owned(), step: None }),
        text(" and "),
        link("glTF", LinkTarget::Url("https://registry.khronos.org/glTF/".to_owned())),
        text(" say more."),
    ];
    vec![
        LessonBlock::Paragraph(running),
        LessonBlock::Math(
            r"\mathbf{v}' = \left( \sum_{i=1}^{n} w_i\, G_i B_i^{-1} \right) \mathbf{v}".to_owned(),
        ),
        LessonBlock::Paragraph(plain_inlines()),
        LessonBlock::Heading { level: 3, inlines: vec![text("Take it out first")] },
        LessonBlock::Paragraph(plain_inlines()),
        LessonBlock::List {
            first: None,
            items: vec![
                vec![LessonBlock::Paragraph(plain_inlines())],
                vec![LessonBlock::Paragraph(vec![
                    text("Short, with "),
                    Inline::Code("texelFetch".to_owned()),
                    text("."),
                ])],
            ],
        },
        LessonBlock::List {
            first: Some(9),
            items: vec![
                vec![LessonBlock::Paragraph(plain_inlines())],
                vec![LessonBlock::Paragraph(vec![text("Tenth.")])],
            ],
        },
        LessonBlock::Quote(vec![LessonBlock::Paragraph(vec![
            styled_text("Often written", true, false),
            text(" “subtract out the extra 2 units”. It is an inverse, not a subtraction."),
        ])]),
    ]
}

fn figure_blocks() -> Vec<LessonBlock> {
    vec![
        LessonBlock::Table {
            header: cells(&["name", "is", "joints"]),
            right: vec![false, false, true],
            rows: vec![
                vec![vec![Inline::Code("joint_from_bind".to_owned())], cells(&["takes stored vertex data into the joint's space"]).remove(0), vec![text("−2.000")]],
                vec![vec![text("palette")], vec![Inline::Math(r"G_i B_i^{-1}".to_owned())], vec![text("253")]],
            ],
        },
        LessonBlock::Code {
            language: "glsl".to_owned(),
            name: None,
            text: "#version 330\nuniform sampler2D palette; // one row a joint\n\nmat4 joint_matrix(uint joint) {\n    return transpose(mat4(texelFetch(palette, ivec2(0, joint), 0), vec4(0.0, 0.0, 0.0, 1.0)));\n}".to_owned(),
        },
        LessonBlock::Rule,
        LessonBlock::Math(r"\begin{bmatrix} \cos\theta & -\sin\theta & 0 & t_x \\ \sin\theta & \cos\theta & 0 & t_y \\ 0 & 0 & 1 & t_z \\ 0 & 0 & 0 & 1 \end{bmatrix} \quad \sqrt{1-\cos^2\theta} \quad \underbrace{G_j}_{\text{joint}} \quad \hat{\mathbf q} = \frac{\sum_i w_i \hat{\mathbf q}_i}{\left\lVert \sum_i w_i \hat{\mathbf q}_i \right\rVert}".to_owned()),
        LessonBlock::Math(r"\frac{1".to_owned()),
        LessonBlock::Broken(0),
        LessonBlock::Cell(Box::new(bindpose_lesson::Cell {
            id: "switch".to_owned(),
            line: 1,
            kind: bindpose_lesson::CellKind::Stages(bindpose_lesson::StagesCell::default()),
        })),
        LessonBlock::Heading { level: 4, inlines: vec![text("A heading with "), Inline::Math(r"M^{-1}".to_owned()), text(" and "), Inline::Code("code".to_owned())] },
        LessonBlock::Paragraph(plain_inlines()),
    ]
}
