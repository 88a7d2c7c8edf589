use bindpose_skin::{InverseBind, JointIndex, SkinStage};
use proptest::prelude::*;

use super::*;
use crate::{
    AnglesCell, CellKind, DataEdit, Expr, Inline, JointName, JointRef, LinkTarget, LinkWhen,
    MatrixCell, MatrixRef, NumberFormat, PlotCell, PlotLine, PlotLines, Projection, Quantity, Show,
    VertexRef, View, ViewHeight, ViewportCell,
};

/// A lesson without errors that contains one of everything.
const EVERYTHING: &str = include_str!("everything.md");

fn text(words: &str) -> Inline {
    Inline::Text { text: words.to_owned(), strong: false, emphasis: false }
}

fn link(words: &str, target: LinkTarget) -> Inline {
    Inline::Link { text: words.to_owned(), target }
}

fn format(decimals: usize, suffix: &str) -> NumberFormat {
    NumberFormat { decimals, prefix: String::new(), suffix: suffix.to_owned() }
}

fn cell(id: &str, line: usize, kind: CellKind) -> Cell {
    Cell { id: id.to_owned(), line, kind }
}

fn everything() -> Lesson {
    parse_lesson("40-bone-grid", EVERYTHING, "# For teachers\n\n## Minutes\n\nAsk.\n")
}

#[test]
fn parses_front_matter_stage_and_notes() {
    let lesson = everything();
    assert_eq!(lesson.findings, []);
    assert_eq!((lesson.number, lesson.slug.as_str()), (40, "bone-grid"));
    assert_eq!(lesson.title, "Everything");
    assert_eq!(lesson.minutes, 15);
    assert_eq!(lesson.needs, ["bind-pose"]);
    assert_eq!(lesson.rig, "bone_grid");
    let amplitude = LessonParam {
        name: "amplitude".to_owned(),
        label: "the amplitude".to_owned(),
        default: 0.8,
        range: (0.0, 1.5),
        angle: true,
        ..LessonParam::default()
    };
    assert_eq!(lesson.params, [amplitude]);
    assert_eq!(lesson.intro, [LessonBlock::Paragraph(vec![text("Before the first step.")])]);
    let viewport = ViewportCell {
        view: View::ThreeQuarter,
        projection: Projection::Orthographic,
        target: Some([6.0, 0.0, 0.0]),
        height: Some(ViewHeight(20.0)),
        show: Some(vec![Show::Mesh, Show::VertexNumbers]),
        ..ViewportCell::default()
    };
    assert_eq!(lesson.stage, [cell("main", 15, CellKind::Viewport(viewport))]);
    assert_eq!(
        lesson.notes,
        [
            LessonBlock::Heading { level: 3, inlines: vec![text("For teachers")] },
            LessonBlock::Heading { level: 3, inlines: vec![text("Minutes")] },
            LessonBlock::Paragraph(vec![text("Ask.")]),
        ]
    );
}

#[test]
fn steps_have_unique_slugs_settings_and_cells() {
    let lesson = everything();
    let slugs: Vec<&str> = lesson.steps.iter().map(|step| step.slug.as_str()).collect();
    assert_eq!(slugs, ["two-plus-two", "two-plus-two-again", "blocks"]);
    let step = &lesson.steps[0];
    assert_eq!(step.title, "Two plus two");
    assert_eq!(
        step.set,
        [
            Setting::Param("all".to_owned(), 0.0),
            Setting::Param("b0".to_owned(), 45f64.to_radians()),
            Setting::Stage(SkinStage::Posed),
            Setting::InverseBind(InverseBind::LeftOut),
            Setting::Through(Some(JointIndex(1).into())),
            Setting::Joint(JointIndex(1).into()),
            Setting::Vertex(6),
            Setting::Show(Some(vec![Show::Mesh, Show::Joints])),
            Setting::View(Some(View::Front)),
        ],
        "in the order of the text"
    );
    assert_eq!(step.hide, ["table"]);
    let matrix = MatrixCell {
        show: vec![
            MatrixRef::WorldFromJoint(JointRef::Named(JointIndex(1).into())),
            MatrixRef::SkinMatrix(VertexRef::Chosen),
        ],
        difference: true,
        ..MatrixCell::default()
    };
    assert_eq!(step.stage, [cell("pair", 42, CellKind::Matrix(matrix))]);
    let angles = AnglesCell { play: true, ..AnglesCell::default() };
    let plot = PlotCell {
        sweep: "all".to_owned(),
        from: Some(Quantity(-std::f64::consts::PI)),
        to: Some(Quantity(1.0)),
        lines: PlotLines(vec![PlotLine {
            label: "width".into(),
            expr: Some(Expr::parse("distance(v2, v3)").unwrap()),
            dashed: true,
            ..PlotLine::default()
        }]),
        ..PlotCell::default()
    };
    assert_eq!(
        lesson.steps[1].blocks,
        [
            LessonBlock::Cell(Box::new(cell("angles-1", 50, CellKind::Angles(angles)))),
            LessonBlock::Cell(Box::new(cell("curve", 53, CellKind::Plot(plot)))),
        ]
    );
    assert_eq!(lesson.steps[1].set, [Setting::Through(None)]);
}

#[test]
fn parses_every_kind_of_link_and_inline() {
    let lesson = everything();
    let LessonBlock::Paragraph(inlines) = &lesson.steps[0].blocks[0] else {
        panic!("{:?}", lesson.steps[0].blocks[0]);
    };
    let set = vec![
        Setting::InverseBind(InverseBind::LeftOut),
        Setting::Param("nod".to_owned(), 30f64.to_radians()),
        Setting::Show(Some(vec![Show::Mesh, Show::Ghost])),
    ];
    let expected = [
        text("A "),
        link("46°", LinkTarget::Param("amplitude".to_owned(), format(0, "°"))),
        text(" and "),
        link(
            "1.842",
            LinkTarget::Value(Expr::parse("2*cos(b0/2)").unwrap(), format(3, ""), LinkWhen::Always),
        ),
        text(", "),
        link("0.8", LinkTarget::Value(Expr::parse("b0").unwrap(), format(1, ""), LinkWhen::Now)),
        text(", "),
        link(
            "0.8",
            LinkTarget::Value(Expr::parse("b0").unwrap(), format(1, ""), LinkWhen::AtStart),
        ),
        text(", "),
        link("joint 1", LinkTarget::Joint(JointIndex(1).into())),
        text(", "),
        link("v6", LinkTarget::Vertex(6)),
        text(", "),
        link("put", LinkTarget::Set(set)),
        text(", "),
        link("there", LinkTarget::Lesson { lesson: "80".to_owned(), step: Some("two".to_owned()) }),
        text(", "),
        link("joint", LinkTarget::Term("joint".to_owned())),
        text(", "),
        link("web", LinkTarget::Url("https://example.org/a".to_owned())),
        text(" "),
        Inline::Math("w_0 M_0 p".to_owned()),
        text(" "),
        Inline::Code("vec4".to_owned()),
        text(" "),
        Inline::Text { text: "bold".to_owned(), strong: true, emphasis: false },
        text(" "),
        Inline::Text { text: "slanted".to_owned(), strong: false, emphasis: true },
        Inline::Break,
        text("next."),
    ];
    assert_eq!(inlines.as_slice(), expected);
}

#[test]
fn joints_can_be_named_everywhere() {
    let identity = "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1";
    let body = format!(
        "## S\n\n```set\njoint = \"upper arm.L\"\nthrough = \"neck\"\n\
         inverse-bind.neck = \"{identity}\"\n\"texel.upper arm.L.3\" = \"1,0,0,0\"\n\
         joints.3 = \"neck, upper arm.L,0,'1'\"\n```\n\n\
         [a](joint:neck) [b](joint:upper%20arm.L) [c](<joint:upper arm.L>) [d](joint:'1') \
         [e](set:joint=upper%20arm.L,through=neck,inverse-bind.neck={})\n\n\
         ```matrix\nshow = [\"world_from_joint(neck)\", \"joint_from_bind('upper arm.L')\"]\n```\n\n\
         ```ask who\nask = \"Who?\"\nwhy = \"So.\"\nelse = \"No.\"\njoint = \"neck\"\n```\n",
        identity.replace(',', "+")
    );
    let lesson = parse_lesson("20-x", &format!("{HEAD}{body}"), "");
    assert_eq!(lesson.findings, []);
    let named = |name: &str| JointName::Name(name.to_owned());
    let mut cells = [0.0; 16];
    for at in [0, 5, 10, 15] {
        cells[at] = 1.0;
    }
    let none = || JointName::from(JointIndex(0));
    let lanes = [named("neck"), named("upper arm.L"), none(), named("1")];
    let step = &lesson.steps[0];
    assert_eq!(
        step.set,
        [
            Setting::Joint(named("upper arm.L")),
            Setting::Through(Some(named("neck"))),
            Setting::Data(DataEdit::InverseBind(named("neck"), cells)),
            Setting::Data(DataEdit::Texel(named("upper arm.L"), 3, [1.0, 0.0, 0.0, 0.0])),
            Setting::Data(DataEdit::Joints(
                3,
                std::array::from_fn(|lane| lanes.get(lane).cloned().unwrap_or_else(none)),
            )),
        ]
    );
    let LessonBlock::Paragraph(inlines) = &step.blocks[0] else {
        panic!("{:?}", step.blocks);
    };
    let targets = inlines.iter().filter_map(|inline| match inline {
        Inline::Link { target, .. } => Some(target.clone()),
        _ => None,
    });
    assert_eq!(
        targets.collect::<Vec<_>>(),
        [
            LinkTarget::Joint(named("neck")),
            LinkTarget::Joint(named("upper arm.L")),
            LinkTarget::Joint(named("upper arm.L")),
            LinkTarget::Joint(named("1")),
            LinkTarget::Set(vec![
                Setting::Joint(named("upper arm.L")),
                Setting::Through(Some(named("neck"))),
                Setting::Data(DataEdit::InverseBind(named("neck"), cells)),
            ]),
        ]
    );
    let kinds: Vec<_> = step.cells().map(|cell| &cell.kind).collect();
    let [CellKind::Matrix(matrix), CellKind::Ask(asked)] = kinds[..] else {
        panic!("{kinds:?}");
    };
    assert_eq!(
        matrix.show,
        [
            MatrixRef::WorldFromJoint(JointRef::Named(named("neck"))),
            MatrixRef::JointFromBind(JointRef::Named(named("upper arm.L"))),
        ]
    );
    assert_eq!(asked.with(0).joint, Some(named("neck")));
}

#[test]
fn parses_every_kind_of_block() {
    let lesson = everything();
    let paragraph = |words: &str| LessonBlock::Paragraph(vec![text(words)]);
    let expected = [
        LessonBlock::Heading { level: 3, inlines: vec![text("Smaller")] },
        paragraph("Before"),
        LessonBlock::Math("p' = M p".to_owned()),
        paragraph("after."),
        LessonBlock::List {
            first: None,
            items: vec![
                vec![paragraph("one")],
                vec![
                    paragraph("two"),
                    LessonBlock::List { first: Some(3), items: vec![vec![paragraph("inner")]] },
                ],
            ],
        },
        LessonBlock::Quote(vec![paragraph("quoted")]),
        LessonBlock::Table {
            header: vec![vec![text("a")], vec![text("b")]],
            right: vec![false, true],
            rows: vec![vec![vec![text("1")], vec![]]],
        },
        LessonBlock::Code { language: "glsl".to_owned(), name: None, text: "vec4 p;".to_owned() },
        LessonBlock::Rule,
    ];
    assert_eq!(lesson.steps[2].blocks, expected);
}

const HEAD: &str = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"r\"\n+++\n";

/// The single finding of a lesson whose sixth line begins with `body`.
fn only_finding(body: &str) -> Diagnostic {
    let lesson = parse_lesson("20-x", &format!("{HEAD}{body}"), "");
    assert_eq!(lesson.findings.len(), 1, "{body}: {:#?}", lesson.findings);
    lesson.findings[0].clone()
}

fn at(file: &str, (line, column): (usize, usize)) -> Within {
    Within::text(file, LineColumn { line, column })
}

fn expect(body: &str, place: (usize, usize), message: &str, help: &str) {
    let finding = only_finding(body);
    assert_eq!(finding.at, at("20-x/lesson.md", place), "{body}: {finding}");
    assert!(finding.sentence().contains(message), "{body}: {finding}");
    assert!(finding.help.contains(help), "{body}: {finding}");
}

#[test]
fn reports_errors_in_cells_at_their_position() {
    let cell = |body: &str| format!("## S\n\n```{body}\n```\n");
    for (body, place, message, help) in [
        ("viewport\nveiw = \"top\"", (9, 1), "unknown key `veiw`", "write `view`"),
        ("viewport\nview = \"topp\"", (9, 8), "unknown name `topp`", "write `top`"),
        ("viewport\nview = 3", (9, 8), "a name in quotes", "strings go in quotes"),
        ("viewport\n\nheight = -1", (10, 10), "above 0", "6.0"),
        ("viewport\nrings = [[4, 4]]", (9, 10), "before the last", "the last vertex"),
        ("viewport\nheight = nan", (9, 10), "NaN", "finite"),
        ("viewport\ntarget = [0, inf, 0]", (9, 14), "infinity", "finite"),
        ("viewport\nheight = 1e300", (9, 10), "1000000", "ordinary size"),
        ("viewport\nview = ", (9, 8), "", "key = value"),
        ("viewport\nview = \"top\"\nview = \"top\"", (10, 1), "duplicate key", "keep one"),
        ("matrix\nshow = [\"world_from_jont(1)\"]", (9, 9), "no matrix", "`world_from_joint`"),
        (
            "matrix\nshow = [\"world_from_joint(1)\"]\nproduct = true",
            (10, 11),
            "two factors",
            "list",
        ),
        ("matrix\ndecimals = 4000", (9, 12), "at most 9", "0 to 9"),
        ("weights\nlanes = 9", (9, 9), "1 to 8", "1 to 8"),
        ("angles\nparams = [1]", (9, 11), "invalid type", "quotes"),
        ("plot\nfrom = 0\nto = 1", (8, 1), "`lines` is missing", "lines = …"),
        (
            "plot\nsweep = \"a\"\nfrom = 0\nto = 1\nlines = []",
            (12, 9),
            "at least one line",
            "label",
        ),
        (
            "plot\nsweep = \"a\"\nfrom = 0\nto = \"45dgr\"\nlines = [{ label = \"l\", expr = \"1\" }]",
            (11, 6),
            "45dgr",
            "key = value",
        ),
        (
            "plot\nsweep = \"a\"\nfrom = 0\nto = 1\nlines = [{ label = \"l\", expr = \"1+*2\" }]",
            (12, 35),
            "expected a value, found `*`",
            "number",
        ),
        ("errata\nclaim = \"a\"\nwhy = \"b\"", (8, 1), "`correction` is missing", "correction"),
        ("viewprot main", (8, 4), "no kind of cell `viewprot`", "write `viewport`"),
        ("matrix a b", (8, 4), "a kind, a name and `stage`", "write matrix a stage"),
        ("matrix a!", (8, 11), "name of a cell", "letters"),
    ] {
        expect(&cell(body), place, message, help);
    }
    expect(
        "## S\n\n- item\n\n  ```viewport\n  view = \"top\"\n  veiw = 1\n  ```\n",
        (12, 3),
        "`veiw`",
        "`view`",
    );
    expect(
        "## S\n```stages a\n```\n```stages a\n```\n",
        (9, 11),
        "a cell `a` already",
        "name of its own",
    );
}

#[test]
fn errors_in_cells_keep_expected_and_found() {
    let cell = "## S\n\n```plot\nsweep = \"a\"\nfrom = 0\nto = 1\nlines = [{ label = \"l\", expr = \"1+*2\" }]\n```\n";
    let finding = only_finding(cell);
    assert_eq!(finding.code, "UNEXPECTED");
    let parts = (&*finding.expected, &*finding.found);
    assert_eq!(parts, ("a value", "`*`"), "{finding}");
    assert!(finding.help.starts_with("write a number"), "{finding}");
    let finding = only_finding("## S\n\n```angles\nparams = [1]\n```\n");
    let parts = (&*finding.expected, &*finding.found);
    assert_eq!(parts, ("a string", "integer `1`"), "{finding}");
}

#[test]
fn a_broken_cell_is_shown_in_place() {
    let body = "## S\n\nText.\n\n```viewport\nx = 1\n```\n\nMore.\n";
    let lesson = parse_lesson("20-x", &format!("{HEAD}{body}"), "");
    assert!(matches!(
        lesson.steps[0].blocks[..],
        [LessonBlock::Paragraph(_), LessonBlock::Broken(0), LessonBlock::Paragraph(_)]
    ));
    let notes = parse_lesson("20-x", &format!("{HEAD}{body}"), "```set\nx = 1\n```\n");
    assert_eq!(notes.notes, [LessonBlock::Broken(1)]);
    assert_eq!(notes.findings[1].at, at("20-x/notes.md", (1, 1)));
}

#[test]
fn reports_errors_in_set_blocks_at_their_position() {
    let set = |body: &str| format!("## S\n\n```set\n{body}\n```\n");
    for (body, place, message, help) in [
        ("stage = \"posd\"", (9, 9), "`posd`", "write `posed`"),
        ("stage = 1", (9, 9), "the number 1", "`bind`"),
        ("inverse-bind = \"leftout\"", (9, 16), "`leftout`", "`left-out`"),
        ("b0 = \"45 degrees\"", (9, 6), "45 degrees", "45deg"),
        ("b0 = 1e5", (9, 6), "from −1000 to 1000", "45deg"),
        ("b0 = nan", (9, 6), "NaN", "finite"),
        ("b0 = true", (9, 6), "true or false", "number"),
        ("through = [\"neck\"]", (9, 11), "number of a joint", "strongest"),
        ("joint = -1", (9, 9), "number of a joint", "whole number"),
        ("joint = \"\"", (9, 9), "number of a joint", "its name"),
        ("joint = \"70000\"", (9, 9), "number of a joint", "'quotes'"),
        ("vertex = 1.5", (9, 10), "number of a vertex", "whole number"),
        ("show = [\"mash\"]", (9, 8), "`mash`", "write `mesh`"),
        ("show = \"mesh\"", (9, 8), "a list", "[\"mesh\", \"lines\"]"),
        ("view = \"frnot\"", (9, 8), "`frnot`", "`front`"),
        ("hide = \"a\"", (9, 8), "a list", "[\"weights\"]"),
        ("subject = \"cod\"", (9, 11), "`cod`", "write `code`"),
        ("carry = 1", (9, 9), "true or false", "carry = true"),
        ("carry = true", (9, 9), "none before it", "leave out carry"),
        ("b0 =", (9, 5), "", "key = value"),
        ("b0 = 20deg", (9, 8), "without quotes", "write \"20deg\""),
        ("joints = \"neck\"", (9, 10), "no setting `joints`", "write `joint`"),
    ] {
        expect(&set(body), place, message, help);
    }
    let early = "```set\nb0 = 1\n```\n\n## S\n";
    expect(early, (6, 1), "before the first step", "below the first ##");
}

#[test]
fn reports_errors_in_links_at_their_position() {
    for (body, place, message, help) in [
        ("é [x](value:1+)", (8, 15), "found the end", "number"),
        ("[1](value:sine(2))", (8, 11), "`sine`", "`sin`"),
        ("[much](param:a)", (8, 2), "expected a number", "0.80"),
        ("[j](joint:1.5)", (8, 11), "number of a joint", "its name"),
        ("[j](<joint:1.5>)", (8, 12), "number of a joint", "its name"),
        ("[j](joint:)", (8, 11), "found nothing", "its name"),
        ("[j](joint:'')", (8, 11), "an empty name", "its name"),
        ("[s](set:joint=-1)", (8, 15), "number of a joint", "number"),
        ("[s](set:texel.neck=1+2+3+4)", (8, 20), "texel.joint.column", "weights.3"),
        ("[v](vertex:-1)", (8, 12), "number of a vertex", "vertex:1"),
        ("[s](set:stage)", (8, 9), "name=value", "set:stage=posed"),
        ("[s](set:joint=1,stage=psed)", (8, 23), "`psed`", "`posed`"),
        ("[s](set:b0=9deg,b1=x)", (8, 20), "`x`", "without quotes"),
        ("[t](trem:joint)", (8, 5), "no kind of link `trem`", "write `term`"),
        ("[t](joint)", (8, 5), "a kind of link and a colon", "term:joint"),
        ("[t](value:1 + 1)", (8, 5), "plain text", "no spaces"),
        ("A ![t](a.png)", (8, 3), "an image", "paragraph of its own"),
        ("a <b>x", (8, 3), "HTML", "Markdown"),
        ("[](term:joint)", (8, 1), "expected words", "[words]"),
        ("a[^1]\n\n[^1]: b", (8, 2), "a footnote", "say it in the text"),
        ("a ~~*b*~~ c", (8, 5), "emphasis in struck-out", "plain words"),
        ("> [!NOTE]\n> a", (8, 1), "an alert", "plain block quote"),
        ("a\n\n: b", (8, 1), "a definition list", "a table"),
        ("| a |\n| :-: |\n| 1 |", (8, 1), "a centred column", "to the right"),
        ("[t](term:joint \"u\")", (8, 1), "a title of a link", "in quotes"),
        ("[*t*](term:joint)", (8, 2), "emphasis in struck-out words", "plain words"),
        ("[$t$](term:joint)", (8, 2), "a formula in struck-out words", "plain words"),
        ("a https://example.org", (8, 3), "a bare address", "[words]"),
    ] {
        // The number is valid, so that only the formula is an error.
        let body = body.replace("[x](value", "[0](value");
        expect(&format!("## S\n\n{body}\n"), place, message, help);
    }
    expect("## S\n\n<div>\n\nx\n\n", (8, 1), "HTML", "Markdown");
}

#[test]
fn accepts_comments_and_listings() {
    let body = "<!-- a note -->\n\n## S\n\n```toml\nview = 1\n```\n\n```haskell\nx\n```\n";
    let lesson = parse_lesson("20-x", &format!("{HEAD}{body}"), "");
    assert_eq!(lesson.findings, []);
    assert_eq!(lesson.steps[0].blocks.len(), 2);
}

#[test]
fn parses_tasks_and_struck_out_words() {
    let body = "## S\n\n- [ ] a\n- [x] ~~b c~~\n";
    let lesson = parse_lesson("20-x", &format!("{HEAD}{body}"), "");
    assert_eq!(lesson.findings, []);
    let LessonBlock::List { items, .. } = &lesson.steps[0].blocks[0] else {
        panic!("{:?}", lesson.steps[0].blocks);
    };
    let first = |item: usize| match &items[item][0] {
        LessonBlock::Paragraph(inlines) => inlines.clone(),
        other => panic!("{other:?}"),
    };
    assert!(matches!(first(0)[..], [Inline::Task(false), Inline::Text { .. }]));
    assert_eq!(first(1)[0], Inline::Task(true));
    assert_eq!(first(1).last(), Some(&Inline::Struck("b c".to_owned())));
}

#[test]
fn a_listing_may_have_a_name() {
    let body = "## S\n\n```rust bone-grid\nfn main() {}\n```\n\n```glsl\nx\n```\n";
    let lesson = parse_lesson("20-x", &format!("{HEAD}{body}"), "");
    assert_eq!(lesson.findings, []);
    let names: Vec<_> = lesson.steps[0]
        .blocks
        .iter()
        .map(|block| match block {
            LessonBlock::Code { name, text, .. } => (name.as_deref(), text.as_str()),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(names, [(Some("bone-grid"), "fn main() {}"), (None, "x")]);

    let found = only_finding("## S\n\n```rust Bone grid\n```\n");
    assert_eq!(found.at, at("20-x/lesson.md", (8, 9)), "{found}");
    assert!(found.sentence().contains("the name of a listing"), "{found}");
}

#[test]
fn only_hides_the_other_cells_of_the_stage() {
    let text = format!(
        "{HEAD}\n```viewport main\n```\n\n```viewport side\n```\n\n```angles\n```\n\n\
         ## One\n\n```set\nonly = [\"side\"]\nhide = [\"shelf\"]\n```\n\n```weights pair stage\n```\n\n\
         ## Two\n\n```set\nonly = []\n```\n\n## Three\n"
    );
    let lesson = parse_lesson("20-x", &text, "");
    assert_eq!(lesson.findings, []);
    let ids_on_stage =
        [0, 1, 2].map(|step| lesson.on_stage(step).map(|cell| &*cell.id).collect::<Vec<_>>());
    assert_eq!(ids_on_stage[0], ["side", "pair"]);
    assert!(lesson.steps[0].hide.contains(&"shelf".to_owned()));
    assert!(ids_on_stage[1].is_empty());
    assert_eq!(ids_on_stage[2], ["main", "side", "angles-1"]);
}

#[test]
fn reports_errors_in_front_matter_at_their_position() {
    let expect = |front: &str, place: (usize, usize), message: &str, help: &str| {
        let text = format!("+++\n{front}\n+++\n## S\n");
        let lesson = parse_lesson("20-x", &text, "");
        let finding = lesson
            .findings
            .iter()
            .find(|finding| finding.sentence().contains(message))
            .unwrap_or_else(|| panic!("{front}: {:#?}", lesson.findings));
        assert_eq!(finding.at, at("20-x/lesson.md", place), "{finding}");
        assert!(finding.help.contains(help), "{finding}");
    };
    expect("titel = \"x\"", (2, 1), "unknown key `titel`", "write `title`");
    expect("titel = \"x\"", (2, 1), "has no `title`", "add title = ");
    expect("title = 3", (2, 9), "words in quotes", "title = \"");
    expect("minutes = 0.5", (2, 11), "whole minutes", "minutes = 15");
    expect("needs = \"a\"", (2, 9), "a list of slugs", "needs = []");
    expect("rig = ", (2, 7), "", "key = value");
    expect("[params.all]\ndefault = 1", (2, 9), "meaning of its own", "another name");
    expect("[params.v2]\ndefault = 1", (2, 9), "meaning of its own", "another name");
    expect("[params.a-b]\ndefault = 1", (2, 9), "a-z, 0-9 and _", "formulas");
    expect("[params.a]\nrange = [0, 1]", (2, 9), "no default", "default = 0.8");
    expect("[params.a]\ndefault = 1", (2, 9), "no range", "range = ");
    expect("[params.a]\nrange = [1, 0]", (3, 9), "the smaller first", "[0.0, 1.5]");
    expect("[params.a]\ndefault = 9\nrange = [0, 1]", (2, 9), "outside its range", "widen");
    let in_degrees = "[params.a]\nangle = true\ndefault = 20\nrange = [0, 1]";
    expect(in_degrees, (2, 9), "outside its range", "write \"20deg\"");
    expect("[params.a]\nlabl = \"x\"", (3, 1), "`labl`", "`label`");
    expect("[params.a]\nangle = 1", (3, 9), "true or false", "true");
    expect("[params.a]\ndefault = inf", (3, 11), "infinity", "finite");
    expect("[params.a]\nunit = \"\"", (3, 8), "a unit of 1", "unit = \"cm\"");
    expect("[params.a]\nunit = \"°\"", (3, 8), "no angle", "angle = true");
    let angle = "[params.a]\nunit = \"cm\"\nangle = true";
    expect(angle, (2, 9), "shown in degrees", "leave `unit`");
    expect("[params.a]\nstep = 0", (3, 8), "a step above 0", "0.05");
    expect("drive = 1", (2, 9), "parameters of the rig", "[drive]");
    expect("[drive]\nb0 = 1", (3, 6), "a formula", "k * 45deg");
    expect("[drive]\nb0 = \"1 +\"", (3, 10), "a value", "x(v2)");
    let posed = "[drive]\nb0 = \"1 + y(v2)\"";
    expect(posed, (3, 11), "`y` follows from the pose", "parameters");
    let circle = "[drive]\nb0 = \"2*b1\"\nb1 = \"3\"";
    expect(circle, (3, 9), "`b1` is driven", "formula of b1");
}

#[test]
fn parses_units_steps_and_drives_of_parameters() {
    let text = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n[params.k]\ndefault = 1\nrange = [0, 2]\nunit = \"cm\"\nstep = 0.25\n[drive]\nbend = \"k * 45deg\"\n+++\n## S\n";
    let (lesson, outline) = parse_outlined("20-x", text, "");
    assert_eq!(lesson.findings, []);
    let param = &lesson.params[0];
    assert_eq!((param.suffix().as_str(), param.step), (" cm", Some(0.25)));
    assert_eq!(lesson.drive_of("bend").unwrap().source, "k * 45deg");
    assert_eq!(lesson.drive_of("twist"), None);
    let driven = outline.mentions.iter().find_map(|mention| match &mention.what {
        MentionKind::Drive { formula_at, .. } => Some((mention.at, *formula_at)),
        _ => None,
    });
    let at = |column| LineColumn { line: 11, column };
    assert_eq!(driven, Some((at(1), at(9))));
}

#[test]
fn a_lesson_without_front_matter_or_steps_still_opens() {
    let lesson = parse_lesson("intro", "Just text.\n", "");
    let messages: Vec<String> = lesson.findings.iter().map(Diagnostic::sentence).collect();
    assert!(messages[0].contains("NN-slug"), "{messages:?}");
    assert!(messages[1].contains("front matter"), "{messages:?}");
    assert!(messages[2].contains("at least one step"), "{messages:?}");
    assert_eq!(lesson.title, "intro");
    assert_eq!(lesson.intro, [LessonBlock::Paragraph(vec![text("Just text.")])]);
}

#[test]
fn limits_nesting_and_number_of_findings() {
    let deep = format!("{HEAD}## S\n\n{} x\n", "> ".repeat(3000));
    let lesson = parse_lesson("20-x", &deep, "");
    assert!(lesson.findings[0].expected.contains("levels"), "{:?}", lesson.findings);
    let many = format!("{HEAD}## S\n\n{}", "```viewport\nx = 1\n```\n".repeat(300));
    let lesson = parse_lesson("20-x", &many, "");
    assert_eq!(lesson.findings.len(), MAX_FINDINGS);
    assert_eq!(lesson.steps[0].blocks.last(), Some(&LessonBlock::Broken(MAX_FINDINGS - 1)));
    let nested = format!("{HEAD}## S\n```viewport\nx = {}\n```\n", "[".repeat(5000));
    assert!(!parse_lesson("20-x", &nested, "").findings.is_empty());
}

#[test]
fn parses_large_texts_in_linear_time() {
    for part in
        ["## a\n", "```stages\n```\n", "$x$ ", "[a](b ", "[1](value:1) ", "| a |\n", "- a\n", "*a"]
    {
        let text = format!("{HEAD}## S\n\n{}", part.repeat((MAX_BYTES - 100) / part.len()));
        let lesson = parse_lesson("20-x", &text, "");
        assert!(!lesson.steps.is_empty(), "{part}");
    }
}

#[test]
fn windows_line_endings_make_no_difference() {
    let lesson = parse_lesson("40-bone-grid", &EVERYTHING.replace('\n', "\r\n"), "");
    assert_eq!(lesson.findings, []);
    let mut unix = everything();
    unix.notes.clear();
    assert_eq!(lesson, unix);
}

#[test]
fn the_glossary_has_a_term_for_each_heading() {
    let text = "# Glossary\n\n## Inverse bind matrix\n\nOf a [joint](term:joint).\n\n## joint\n";
    let Glossary { terms, mentions, findings, .. } = parse_glossary(text);
    let slugs: Vec<&str> = terms.iter().map(|term| term.slug.as_str()).collect();
    assert_eq!(slugs, ["inverse-bind-matrix", "joint"]);
    assert_eq!(terms[0].title, "Inverse bind matrix");
    assert_eq!(mentions.len(), 1);
    assert_eq!(findings, []);
    let Glossary { findings, .. } = parse_glossary("## joint\n\n## joint\n");
    assert_eq!(findings[0].at, at("glossary.md", (3, 1)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_text_never_panics(text in "(\\PC|\n|`|\\$|\\[|\\]|\\(|#){0,200}") {
        let _ = parse_lesson("20-x", &text, &text);
        let _ = parse_lesson("20-x", &format!("{HEAD}{text}"), "");
    }

    #[test]
    fn truncated_and_mutated_lessons_never_panic(
        cut in 0..EVERYTHING.len(),
        edits in proptest::collection::vec(
            (0..EVERYTHING.len(), "[\\PC\n`$()\\[\\]\"=+#|>-]"),
            0..6,
        ),
    ) {
        let mut chars: Vec<char> = EVERYTHING.chars().take(cut).collect();
        for (at, with) in edits {
            if let (Some(slot), Some(c)) = (chars.get_mut(at), with.chars().next()) {
                *slot = c;
            }
        }
        let text: String = chars.into_iter().collect();
        let (lesson, outline) = parse_outlined("20-x", &text, &text);
        for block in lesson.steps.iter().flat_map(|step| &step.blocks) {
            if let LessonBlock::Broken(index) = block {
                prop_assert!(*index < lesson.findings.len());
            }
        }
        let lines = text.lines().count() + 1;
        prop_assert!(outline.mentions.iter().all(|mention| mention.at.line <= lines));
    }
}
