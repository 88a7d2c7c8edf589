use bindpose_asset::builtin;
use bindpose_lesson::LessonSet;

use crate::{KeptPage, Navigation, Notebook, PageAddress};

const FIRST: &str = "+++\ntitle = \"First\"\nminutes = 5\nrig = \"head\"\n+++\n\n\
    ## One\n\nWords.\n\n## Two\n\nWords.\n\n## Three\n\nWords.\n";
const SECOND: &str = "+++\ntitle = \"Second\"\nminutes = 5\nrig = \"head\"\n+++\n\n\
    ## Four\n\nWords.\n";
const ROUTES: &str = "[[route]]\nname = \"back\"\ntitle = \"Back\"\nminutes = 9\n\
    steps = [\"second\", { step = \"first/three\", minutes = 4 }, \"first/one\", \"gone\"]\n";

fn notebook() -> Notebook {
    let lessons = [("10-first", FIRST, ""), ("20-second", SECOND, "")];
    let mut set = LessonSet::from_memory(&lessons, "");
    set.add_routes_text("routes.toml", ROUTES);
    Notebook::new(set, builtin).unwrap()
}

fn title(notebook: &Notebook) -> &str {
    &notebook.step().unwrap().title
}

fn go(notebook: &mut Notebook, lesson: &str, step: &str) {
    notebook.go(&PageAddress::step(lesson, step)).unwrap();
}

#[test]
fn the_way_on_follows_the_route_and_comes_back_to_it() {
    let mut notebook = notebook();
    let follow = Navigation::Follow("back".to_owned());
    notebook.navigate(&follow).unwrap();
    assert_eq!(title(&notebook), "Four");
    assert!(!notebook.can_turn(false));
    let next = notebook.next_words();
    assert_eq!(next.as_deref(), Some("Next: Three (lesson 10)"));
    assert_eq!(notebook.next_minutes(), Some(4));
    assert!(!notebook.leads_on(), "no step to carry values to");
    assert!(notebook.turn_page(true));
    assert_eq!(title(&notebook), "Three");

    go(&mut notebook, "first", "two");
    assert_eq!(notebook.way().len(), 3, "beside the route: the lesson");
    assert!(notebook.turn_page(true));
    assert_eq!(title(&notebook), "Three", "where the route was left");
    assert_eq!(notebook.way().len(), 3, "what is not there is left out");
    assert!(notebook.turn_page(true));
    assert_eq!(title(&notebook), "One");
    assert_eq!((notebook.turn_page(true), notebook.next_words()), (false, None));

    notebook.navigate(&Navigation::LeaveRoute).unwrap();
    assert!(notebook.turn_page(true));
    assert_eq!(title(&notebook), "Two");
}

#[test]
fn a_link_leads_over_its_route_and_what_is_kept_names_none() {
    let mut notebook = notebook();
    notebook.follow_route("back").unwrap();
    notebook.turn_page(true);
    let link = notebook.link();
    assert_eq!(link, "bindpose://first/three?route=back");
    assert_eq!(notebook.kept_page().link, "bindpose://first/three");

    let mut other = self::notebook();
    assert_eq!(other.follow(&link, 1), Ok(None));
    assert_eq!((title(&other), other.route_name()), ("Three", Some("back")));
    let told = other.follow("bindpose://first?route=bock", 2).unwrap();
    assert!(told.unwrap().contains("`back`"), "the nearest name");
    go(&mut other, "first", "two");
    assert_eq!(other.link(), "bindpose://first/two", "not on the route");
}

#[test]
fn a_page_that_is_opened_at_the_start_may_name_its_route() {
    let mut notebook = notebook();
    let page =
        KeptPage { link: "bindpose://first/three?route=back".to_owned(), ..KeptPage::default() };
    notebook.reopen(&page, 1).unwrap();
    assert_eq!(title(&notebook), "Three");
    assert_eq!(notebook.route_name(), Some("back"));
    assert!(notebook.turn_page(true));
    assert_eq!(title(&notebook), "One");
}

#[test]
fn a_route_that_is_remembered_and_gone_is_none() {
    let mut notebook = notebook();
    notebook.take_route(Some("other"));
    assert!(notebook.route().is_none() && notebook.turn_page(true));
    assert_eq!(title(&notebook), "Two", "as without one");
    assert_eq!(notebook.route_name(), Some("other"), "it may come again");
    assert!(notebook.follow_route("nothing").is_err());
}
