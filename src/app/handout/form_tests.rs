//! The questions of lessons on paper.

use std::collections::BTreeSet;

use bindpose_asset::builtin;
use bindpose_lesson::LessonSet;
use bindpose_notebook::inventory::{InventoryForm, option_letter, questions_of, shown_options};
use bindpose_paper::handout::{HandoutPages, HandoutRequest, PicturedPart, WantedPictures, write};

use crate::app::handout::look::look;
use crate::app::testing::{each_element_is_closed, values};

fn written(
    set: &LessonSet,
    index: usize,
    form: InventoryForm,
    solutions: bool,
) -> (String, Vec<PicturedPart>) {
    let request = HandoutRequest { solutions, ..HandoutRequest::default() };
    let (pages, look) = (HandoutPages::of_form(set, index, form), look());
    let mut wanted = WantedPictures::default();
    let html = write(set, &pages, request, &look, &builtin, None, &mut wanted);
    let parts = wanted.0.into_iter().map(|wanted| wanted.part);
    (html, parts.collect())
}

#[test]
fn every_question_stands_with_all_its_answers_and_the_key_apart_from_them() {
    let set = LessonSet::embedded();
    let mut seen = 0;
    for (index, lesson) in set.lessons.iter().enumerate() {
        for form in InventoryForm::ALL {
            let questions = questions_of(lesson, form);
            if questions.is_empty() {
                continue;
            }
            let (html, parts) = written(&set, index, form, true);
            let body = html.split_once("</style>").expect("a style sheet").1;
            each_element_is_closed(&["html", "head"], body);
            let (page, key) = html.split_once("id=\"solutions\"").expect("a key");
            let ids = values(&html, "id");
            let known: BTreeSet<&str> = ids.iter().copied().collect();
            assert_eq!(known.len(), ids.len(), "each name once");
            let mut sections = page.split("<section class=\"card task question\"").skip(1);
            for (number, question) in questions.iter().enumerate() {
                let section = sections.next().expect("a section for each question");
                assert!(section.contains(&format!("id=\"{}\"", question.id)));
                let boxes = section.matches("class=\"box\"").count();
                assert_eq!(boxes, question.options.len(), "{}", question.id);
                let order = shown_options(question);
                let right = question.options.iter().position(|option| option.right);
                let right = option_letter(&order, right.expect("a right answer"));
                let begins =
                    format!("Question {}</a></dt>\n<dd><b>{right}</b>, right:", number + 1);
                assert!(key.contains(&begins), "{}: {right}", question.id);
                let drawn = parts.iter().filter(|part| {
                    matches!(part, PicturedPart::Question { question: of, .. } if *of == question.id)
                });
                let figures = match &question.viewport {
                    Some(_) if question.pictures => question.options.len(),
                    Some(_) => 1,
                    None => 0,
                };
                assert_eq!(drawn.count(), figures, "{}", question.id);
                seen += 1;
            }
            // Nothing beside a question tells its answer.
            for option in questions.iter().flat_map(|question| &question.options) {
                assert!(!page.contains(option.why.as_str()), "{}", option.why);
            }
        }
    }
    assert!(seen >= 62, "{seen}");
}

#[test]
fn what_has_no_model_says_so_in_its_place() {
    let set = LessonSet::embedded();
    let lessons = set.lessons.iter();
    let index = lessons.map(|lesson| &*lesson.slug).position(|slug| slug == "bind-pose");
    let index = index.expect("built in");
    let (pages, look) = (HandoutPages::of_form(&set, index, InventoryForm::Before), look());
    let written = |pages: &HandoutPages| {
        let (request, mut wanted) = (HandoutRequest::default(), WantedPictures::default());
        let html = write(&set, pages, request, &look, &|_| None, None, &mut wanted);
        assert!(wanted.0.is_empty());
        html
    };
    let form = written(&pages);
    let lesson = &set.lessons[index];
    let questions = questions_of(lesson, InventoryForm::Before).len();
    assert_eq!(form.matches("Its answers are not here").count(), questions);
    assert!(form.contains(&format!("<span class=\"step\">{questions}</span>")));
    let steps = written(&HandoutPages::of_lesson(&set, index));
    assert_eq!(steps.matches("This step is not here").count(), lesson.steps.len());
    for html in [form, steps] {
        let body = html.split_once("</style>").expect("a style sheet").1;
        each_element_is_closed(&["html", "head"], body);
    }
}

#[test]
fn nothing_on_a_matrix_to_choose_tells_its_axes() {
    let set = LessonSet::embedded();
    let mut seen = 0;
    for (index, _) in set.lessons.iter().enumerate() {
        for form in InventoryForm::ALL {
            let (html, _) = written(&set, index, form, false);
            let body = html.split_once("</style>").expect("a style sheet").1;
            for table in body.split("<table class=\"matrix\">").skip(1) {
                let (table, _) = table.split_once("</table>").expect("its end");
                assert!(table.starts_with("<thead><tr><th>1</th>") && !table.contains("class="));
                seen += 1;
            }
        }
    }
    assert!(seen >= 4, "{seen}");
}

#[test]
fn a_sheet_without_its_key_is_a_sheet_to_hand_out() {
    let set = LessonSet::embedded();
    let index = set.lessons.iter().position(|lesson| lesson.slug == "bind-pose");
    let (html, _) = written(&set, index.expect("built in"), InventoryForm::Before, false);
    assert!(html.contains("Name: ") && !html.contains("id=\"solutions\""));
}
