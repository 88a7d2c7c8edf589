use std::collections::BTreeSet;

use bindpose_lesson::{
    CellKind, Inline, LessonBlock, LessonSet, LinkTarget, cells_in, find_lesson,
};
use bindpose_notebook::inventory::{InventoryForm, option_letter, questions_of, shown_options};
use bindpose_paper::handout::{
    HandoutPages, HandoutRequest, NoPictures, PictureRequests, PictureSubject, write,
};
use bindpose_rigs::builtin;

use crate::app::handout::look::handout_look;
use crate::app::testing::{PlaceholderPictures, assert_elements_are_closed, attribute_values};

fn lesson_html(set: &LessonSet, index: usize, request: HandoutRequest) -> String {
    let pages = HandoutPages::of_lesson(set, index);
    write(set, &pages, request, &handout_look(), &builtin, None, &mut PlaceholderPictures)
}

fn check_each_lesson(check: impl Fn(&LessonSet, usize, &str)) {
    let set = LessonSet::embedded();
    for index in 0..set.lessons.len() {
        let html = lesson_html(&set, index, HandoutRequest::default());
        check(&set, index, &html);
    }
}

/// Removes all elements of this name, and what is in them.
fn without_elements(name: &str, html: &str) -> String {
    let (start, end) = (format!("<{name}"), format!("</{name}>"));
    let parts = html.split(&start);
    parts.map(|part| part.split_once(&end).map_or(part, |(_, after)| after)).collect()
}

#[test]
fn lessons_are_well_formed_html() {
    check_each_lesson(|_, _, html| {
        let body = html.split_once("</style>").expect("a style sheet").1;
        assert_elements_are_closed(&["html", "head"], body);
        // Programs may say anything.
        let prose = without_elements("code", &without_elements("pre", html));
        for word in ["undefined", ">NaN", "∞", "Some("] {
            assert!(!prose.contains(word), "{word}");
        }
    });
}

#[test]
fn handouts_are_self_contained_and_all_links_resolve() {
    check_each_lesson(|_, _, html| {
        for external in ["<script", "<link", "@import", "url(", "<iframe", "srcset"] {
            assert!(!html.contains(external), "{external}");
        }
        for source in attribute_values(html, "src") {
            assert!(source.starts_with("data:image/png;base64,"), "{source}");
        }
        let ids = attribute_values(html, "id");
        let known: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(known.len(), ids.len(), "each name once");
        for link in attribute_values(html, "href") {
            match link.strip_prefix('#') {
                Some(id) => assert!(known.contains(id), "#{id}"),
                None => assert!(link.starts_with("https://"), "{link}"),
            }
        }
    });
}

#[test]
fn every_cell_has_content_on_paper() {
    check_each_lesson(|set, index, html| {
        let lesson = &set.lessons[index];
        let mut sections = html.split("<section").skip(1);
        for (number, step) in lesson.steps.iter().enumerate() {
            let section = sections.next().expect("a section for each step");
            for cell in cells_in(&step.blocks).chain(lesson.on_stage(number)) {
                // Sliders are left out, because the text has their numbers.
                if matches!(cell.kind, CellKind::Angles(_)) {
                    continue;
                }
                let cell_start = format!("<div data-cell=\"{}\"", cell.id);
                let (_, rest) = section
                    .split_once(cell_start.as_str())
                    .unwrap_or_else(|| panic!("{}: {}", step.slug, cell.id));
                let (_, content) = rest.split_once(">\n").expect("a tag");
                assert!(!content.starts_with("</div>"), "{}: {}", step.slug, cell.id);
            }
        }
    });
}

/// Collects the texts of live numbers.
fn live_numbers(blocks: &[LessonBlock]) -> Vec<&str> {
    let mut numbers = Vec::new();
    for block in blocks {
        let (LessonBlock::Paragraph(inlines) | LessonBlock::Heading { inlines, .. }) = block else {
            continue;
        };
        for inline in inlines {
            if let Inline::Link { text, target: LinkTarget::Param(..) | LinkTarget::Value(..) } =
                inline
            {
                numbers.push(text.as_str());
            }
        }
    }
    numbers
}

/// The content check compares these numbers with those of the page.
#[test]
fn numbers_are_those_of_the_opened_step() {
    check_each_lesson(|set, index, html| {
        let lesson = &set.lessons[index];
        let mut sections = html.split("<section").skip(1);
        for step in &lesson.steps {
            let section = sections.next().expect("a section for each step");
            let mut rest = section;
            for number in live_numbers(&step.blocks) {
                let element_end = format!("\">{number}</span>");
                (_, rest) = rest
                    .split_once(element_end.as_str())
                    .unwrap_or_else(|| panic!("{}: {number}", step.title));
            }
        }
    });
}

#[test]
fn solutions_are_at_the_end_or_absent() {
    let set = LessonSet::embedded();
    let lesson = find_lesson(&set.lessons, "bind-pose").expect("built in");
    let solved = "To (0.25, 3.50)";
    let with = lesson_html(&set, lesson, HandoutRequest::default());
    let (before, after) = with.split_once("id=\"solutions\"").expect("solutions");
    assert!(after.contains(solved) && !before.contains(solved));
    let request = HandoutRequest { solutions: false, ..HandoutRequest::default() };
    let without = lesson_html(&set, lesson, request);
    assert!(!without.contains("id=\"solutions\""));
    assert!(without.contains("Guess first"));
}

#[test]
fn lesson_text_is_escaped() {
    let text = "+++\ntitle = \"<b>T</b> & more\"\nminutes = 5\nrig = \"head\"\n+++\n\
        ## A <script>alert(1)</script> step\n\n\
        Words & \"quotes\", `<code>`, *a < b*.\n\n\
        ```viewport main\ncaption = \"<i>c</i>\"\n```\n\n\
        ```text\n</pre><script>\n```\n\n\
        $$a < b$$\n\n\
        | a <b> |\n| --- |\n| `<td>` |\n";
    let set = LessonSet::from_memory(&[("20-t", text, "")], "");
    let html = lesson_html(&set, 0, HandoutRequest::default());
    for bad in ["<script", "<b>", "<i>", "</pre><", "a < b"] {
        assert!(!html.contains(bad), "{bad}");
    }
    assert!(html.contains("&lt;b&gt;T&lt;/b&gt; &amp; more"));
    assert!(html.contains("alt=\"A &lt;dot&gt; &amp; &quot;more&quot;.\""));
}

#[test]
fn formulas_are_drawn_and_labelled_with_their_tex() {
    let set = LessonSet::embedded();
    let lesson = find_lesson(&set.lessons, "bind-pose").expect("built in");
    let pages = HandoutPages::of_lesson(&set, lesson);
    let request = HandoutRequest {
        paper: bindpose_paper::handout::PaperSize::Letter,
        ..HandoutRequest::default()
    };
    let html = write(&set, &pages, request, &handout_look(), &builtin, None, &mut NoPictures);
    assert!(html.contains("@page{size:letter;"));
    assert!(html.contains("aria-label=\"p&#39; = W_1 \\, B_1^{-1} \\, p\""), "named");
    assert!(html.contains("<use href=\"#g0\""), "drawn");
    assert!(!html.contains("class=\"wrong\">p"), "all can be laid out");
}

#[test]
fn cells_have_prose_boxes_and_solutions() {
    let text = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n## S\n\nA.\n\n\
        ```note\ntitle = \"A *word*\"\ntext = \"Of `code`.\"\n```\n\n\
        ```check it\nask = \"To **90°**.\"\nlabel = \"b1\"\nmeasure = \"b1\"\ngoal = \"90deg\"\n\
        unit = \"°\"\ntolerance = \"1deg\"\nsolution = { b1 = \"90deg\" }\n\
        solved = \"At [90°](param:b1), from [0°](start:b1).\"\n```\n\n\
        ```ask which\nask = \"Which?\"\nwhy = \"So.\"\nchoices = [{ text = \"first\", right = true }, \
        { text = \"second\", reply = \"No.\" }]\n```\n";
    let set = LessonSet::from_memory(&[("20-t", text, "")], "");
    assert_eq!(set.lessons[0].findings, []);
    let html = lesson_html(&set, 0, HandoutRequest::default());
    let (page, end) = html.split_once("id=\"solutions\"").expect("solutions");
    for part in [
        "<h3>A <em>word</em></h3>",
        "Of <code>code</code>.",
        "To <strong>90°</strong>.",
        ">90.00°</span> is the goal",
        "<span class=\"box\"></span> second",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // The numbers of the solution are those of the solved page.
    assert!(end.contains("At <span class=\"number drag\">90°</span>"));
    assert!(end.contains("from <span class=\"number\">0°</span>"));
    assert!(end.contains("<p>first</p>") && !end.contains("second"));
}

#[test]
fn lesson_pictures_have_alt_text_and_caption() {
    let text = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n```viewport main\n```\n\n\
                ## S\n\nProse.\n\n![Two \\<rings> & a bone](rings.png \"As drawn\")\n\n\
                ```picture\nfile = \"rings.png\"\nalt = \"The same.\"\nwidth = 0.5\n\
                dark = \"night.png\"\n```\n\n![Lost words here](lost.png)\n";
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("20-x");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("lesson.md"), text).unwrap();
    for name in ["rings.png", "night.png"] {
        image::GrayImage::new(40, 30).save(folder.join(name)).unwrap();
    }
    let set = LessonSet::from_dir(dir.path());
    let html = lesson_html(&set, 0, HandoutRequest::default());
    let body = html.split_once("</style>").expect("a style sheet").1;
    assert_elements_are_closed(&["html", "head"], body);
    let words = attribute_values(body, "alt");
    assert!(words.contains(&"Two &lt;rings&gt; &amp; a bone"), "{words:?}");
    assert!(body.contains("<figcaption>As drawn</figcaption>"));
    let sources = attribute_values(body, "src");
    // The base64 of the signature of PNG files. The picture of the viewport is no such file here.
    let png_sources =
        sources.iter().filter(|source| source.starts_with("data:image/png;base64,iVBORw0KGgo"));
    assert_eq!(png_sources.count(), 2, "{sources:?}");
    assert!(body.contains("width:50%") && body.contains("srcset=\"data:image/png"));
    assert!(body.contains("Lost words here"), "what cannot be read leaves its words");
}

#[test]
fn learnt_route_is_a_sheet_of_three_sentences_per_lesson() {
    let set = LessonSet::embedded();
    let route = set.routes.iter().find(|route| route.name == "learnt").expect("a route");
    let pages = HandoutPages::of_route(&set, route);
    assert_eq!(pages.pages.len(), set.lessons.len(), "every lesson ends so");
    let request = HandoutRequest::default();
    let html = write(&set, &pages, request, &handout_look(), &builtin, None, &mut NoPictures);
    assert!(html.contains("<body class=\"sheet\">"));
    assert_eq!(html.matches("<ul class=\"learnt\">").count(), set.lessons.len());
    assert_eq!(html.matches("<li><div>").count(), 3 * set.lessons.len());
    for lesson in &set.lessons {
        let last = lesson.steps.last().map(|step| step.slug.as_str());
        assert_eq!(last, Some("what-you-can-say-now"), "{}", lesson.folder);
    }
}

/// Writes the questions of a lesson. Returns the HTML and the subjects of its pictures.
fn form_html(
    set: &LessonSet,
    index: usize,
    form: InventoryForm,
    solutions: bool,
) -> (String, Vec<PictureSubject>) {
    let request = HandoutRequest { solutions, ..HandoutRequest::default() };
    let pages = HandoutPages::of_form(set, index, form);
    let mut requests = PictureRequests::default();
    let html = write(set, &pages, request, &handout_look(), &builtin, None, &mut requests);
    (html, requests.0.into_iter().map(|request| request.part).collect())
}

#[test]
fn questions_have_all_answers_and_a_separate_key() {
    let set = LessonSet::embedded();
    let mut question_count = 0;
    for (index, lesson) in set.lessons.iter().enumerate() {
        for form in InventoryForm::ALL {
            let questions = questions_of(lesson, form);
            if questions.is_empty() {
                continue;
            }
            let (html, parts) = form_html(&set, index, form, true);
            let body = html.split_once("</style>").expect("a style sheet").1;
            assert_elements_are_closed(&["html", "head"], body);
            let (page, key) = html.split_once("id=\"solutions\"").expect("a key");
            let ids = attribute_values(&html, "id");
            let known: BTreeSet<&str> = ids.iter().copied().collect();
            assert_eq!(known.len(), ids.len(), "each name once");
            let mut sections = page.split("<section class=\"card task question\"").skip(1);
            for (number, question) in questions.iter().enumerate() {
                let section = sections.next().expect("a section for each question");
                assert!(section.contains(&format!("id=\"{}\"", question.id)));
                let boxes = section.matches("class=\"box\"").count();
                assert_eq!(boxes, question.ask.choices.len(), "{}", question.id);
                let order = shown_options(question);
                let right_index = question
                    .ask
                    .choices
                    .iter()
                    .position(|choice| choice.right)
                    .expect("a right answer");
                let letter = option_letter(&order, right_index);
                let entry_start =
                    format!("Question {}</a></dt>\n<dd><b>{letter}</b>, right:", number + 1);
                assert!(key.contains(&entry_start), "{}: {letter}", question.id);
                let drawn = parts.iter().filter(|part| {
                    matches!(part, PictureSubject::Question { question: of, .. } if *of == question.id)
                });
                let figures = match &question.viewport {
                    Some(_) if question.pictures => question.ask.choices.len(),
                    Some(_) => 1,
                    None => 0,
                };
                assert_eq!(drawn.count(), figures, "{}", question.id);
                question_count += 1;
            }
            // The answers are only in the key.
            for question in questions {
                for choice in &question.ask.choices {
                    let reason = &question.reason(choice).source;
                    assert!(!page.contains(reason.as_str()), "{reason}");
                }
            }
        }
    }
    assert!(question_count >= 62, "{question_count}");
}

fn html_without_models(set: &LessonSet, pages: &HandoutPages) -> String {
    let mut requests = PictureRequests::default();
    let request = HandoutRequest::default();
    let html = write(set, pages, request, &handout_look(), &|_| None, None, &mut requests);
    assert!(requests.0.is_empty());
    html
}

#[test]
fn missing_models_are_reported_in_place() {
    let set = LessonSet::embedded();
    let index = set.lessons.iter().position(|lesson| lesson.slug == "bind-pose").expect("built in");
    let form =
        html_without_models(&set, &HandoutPages::of_form(&set, index, InventoryForm::Before));
    let lesson = &set.lessons[index];
    let questions = questions_of(lesson, InventoryForm::Before).len();
    assert_eq!(form.matches("Its answers are not here").count(), questions);
    assert!(form.contains(&format!("<span class=\"step\">{questions}</span>")));
    let steps = html_without_models(&set, &HandoutPages::of_lesson(&set, index));
    assert_eq!(steps.matches("This step is not here").count(), lesson.steps.len());
    for html in [form, steps] {
        let body = html.split_once("</style>").expect("a style sheet").1;
        assert_elements_are_closed(&["html", "head"], body);
    }
}

#[test]
fn matrices_to_choose_do_not_reveal_their_axes() {
    let set = LessonSet::embedded();
    let mut table_count = 0;
    for index in 0..set.lessons.len() {
        for form in InventoryForm::ALL {
            let (html, _) = form_html(&set, index, form, false);
            let body = html.split_once("</style>").expect("a style sheet").1;
            for table in body.split("<table class=\"matrix\">").skip(1) {
                let (table, _) = table.split_once("</table>").expect("its end");
                assert!(table.starts_with("<thead><tr><th>1</th>") && !table.contains("class="));
                table_count += 1;
            }
        }
    }
    assert!(table_count >= 4, "{table_count}");
}

#[test]
fn sheet_without_key_has_a_line_for_the_name() {
    let set = LessonSet::embedded();
    let index = set.lessons.iter().position(|lesson| lesson.slug == "bind-pose");
    let (html, _) = form_html(&set, index.expect("built in"), InventoryForm::Before, false);
    assert!(html.contains("Name: ") && !html.contains("id=\"solutions\""));
}
