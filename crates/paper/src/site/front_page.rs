//! The front page of a site: a cover or a heading, and the lists of lessons and routes.

use std::fmt::Write as _;
use std::sync::Arc;

use bindpose_diagnostic::counted;
use bindpose_gltf::Rig;
use bindpose_lesson::{LessonSet, Route};
use bindpose_notebook::{CoverWay, CoverWayEnd, cover_title, cover_ways, cover_words};

use super::FrontPicture;
use super::template::fill_template;
use crate::handout::{HtmlTarget, escaped};

/// Returns the text of the front page, with the cover if the set has one.
///
/// `add_asset` stores a file, given its name and content, and returns its path.
pub(super) fn front_page_html(
    set: &LessonSet,
    rigs: &dyn Fn(&str) -> Option<Arc<Rig>>,
    picture: Option<&FrontPicture>,
    add_asset: &mut dyn FnMut(&str, &[u8]) -> String,
) -> String {
    let picture = match picture {
        Some(picture) => picture_html(picture, add_asset),
        None => String::new(),
    };
    let whale = rigs("whale").filter(|_| has_cover(set));
    let ways = cover_ways(set);
    let head = match &whale {
        Some(whale) => fill_template(
            include_str!("../../../../web/page/cover.html"),
            &[
                ("title", &*escaped(&cover_title(whale, "swim"))),
                ("words", &*escaped(&cover_words(whale))),
                ("picture", &picture),
                // The button begins what the first suggestion says.
                (
                    "begin",
                    &*escaped(&ways.first().and_then(|way| way_url(set, way)).unwrap_or_default()),
                ),
                ("ways", &cover_links_html(set, &ways)),
            ],
        ),
        None => fill_template(
            include_str!("../../../../web/page/front-head.html"),
            &[("picture", &picture)],
        ),
    };
    fill_template(
        include_str!("../../../../web/page/front.html"),
        &[("head", &head), ("lessons", &lesson_list_html(set)), ("routes", &routes_html(set))],
    )
}

/// Returns whether the front page is a cover, as it is if the first lesson is built in.
pub(super) fn has_cover(set: &LessonSet) -> bool {
    set.is_built_in(0)
}

/// Returns the cover's suggestions where to begin, as list items.
fn cover_links_html(set: &LessonSet, ways: &[CoverWay]) -> String {
    let mut out = String::new();
    for way in ways {
        let Some(url) = way_url(set, way) else { continue };
        let _ = writeln!(
            out,
            "<li><a href=\"{}\"><b>{}</b> {}</a></li>",
            escaped(&url),
            escaped(way.title),
            escaped(&way.about)
        );
    }
    out
}

/// Returns the URL of a suggestion relative to the front page.
fn way_url(set: &LessonSet, way: &CoverWay) -> Option<String> {
    match &way.target {
        CoverWayEnd::Route(name) => route_url(set, set.route(name).ok()?),
        CoverWayEnd::Beginning => lesson_url(set, &set.lessons.first()?.slug),
        CoverWayEnd::OwnModel(slug) => lesson_url(set, slug),
        CoverWayEnd::Teaching => Some("#routes".to_owned()),
    }
}

/// Returns the URL of a lesson relative to the front page.
fn lesson_url(set: &LessonSet, slug: &str) -> Option<String> {
    let lesson = set.lessons.iter().find(|lesson| lesson.slug == slug)?;
    Some(format!("{}/", lesson.site_folder()))
}

fn picture_html(
    picture: &FrontPicture,
    add_asset: &mut dyn FnMut(&str, &[u8]) -> String,
) -> String {
    let [width, height] = picture.size;
    let light = add_asset("notebook.png", &picture.light);
    let dark = add_asset("notebook.png", &picture.dark);
    format!(
        "<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"{dark}\">\
         <img src=\"{light}\" width=\"{width}\" height=\"{height}\" alt=\"{}\"></picture>\n",
        escaped(&picture.words)
    )
}

fn lesson_list_html(set: &LessonSet) -> String {
    let mut out = String::new();
    for lesson in &set.lessons {
        let about = if lesson.about.is_empty() {
            String::new()
        } else {
            format!("<p>{}</p>", escaped(&lesson.about))
        };
        let _ = writeln!(
            out,
            "<li><span class=\"number-of\">{}</span><div><a data-lesson=\"{}\" href=\"{}/\">{}</a> \
             <span class=\"minutes\">{} min</span>{about}</div></li>",
            lesson.number,
            escaped(&lesson.slug),
            escaped(lesson.site_folder()),
            escaped(&lesson.title),
            lesson.minutes,
        );
    }
    out
}

/// Returns the section of routes, or an empty string if there are none.
fn routes_html(set: &LessonSet) -> String {
    if set.routes.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "<section aria-labelledby=\"routes\">\n<h2 id=\"routes\">Routes</h2>\n\
         <p>Steps in an order of their own, with the minutes that a class has.</p>\n<ul>\n",
    );
    for route in &set.routes {
        let Some(url) = route_url(set, route) else {
            continue;
        };
        let step_count = route.pages(&set.lessons).len();
        let _ = writeln!(
            out,
            "<li><a href=\"{}\">{}</a> <span class=\"quiet\">{}</span></li>",
            escaped(&url),
            escaped(&route.title),
            counted(step_count, "step")
        );
    }
    out.push_str("</ul>\n</section>\n");
    out
}

/// Returns the URL of the first step of a route, with the route as parameter. Returns `None` if the
/// route has no steps.
fn route_url(set: &LessonSet, route: &Route) -> Option<String> {
    let pages = route.pages(&set.lessons);
    let first = pages.first()?;
    let lesson = set.lessons.get(first.lesson)?;
    let step_id = HtmlTarget::SitePages.step_id(lesson, first.step);
    Some(format!("{}/#{step_id}&route={}", lesson.site_folder(), route.name))
}
