//! The page of the contents.

use std::fmt::Write as _;

use bindpose_diagnostic::counted;
use bindpose_lesson::{Lesson, LessonSet, Route};

use super::FrontPicture;
use super::template::fill;
use crate::handout::{HtmlPlace, escaped};

/// The page; `asset` takes a file and says where it is.
pub(super) fn front_text(
    set: &LessonSet,
    picture: Option<&FrontPicture>,
    asset: &mut dyn FnMut(&str, &[u8]) -> String,
) -> String {
    let picture = picture.map_or_else(String::new, |picture| front_picture(picture, asset));
    fill(
        include_str!("../../../../web/page/front.html"),
        &[("picture", &picture), ("lessons", &lessons(set)), ("routes", &routes(set))],
    )
}

fn front_picture(picture: &FrontPicture, asset: &mut dyn FnMut(&str, &[u8]) -> String) -> String {
    let [width, height] = picture.size;
    let (light, dark) =
        (asset("notebook.png", &picture.light), asset("notebook.png", &picture.dark));
    format!(
        "<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"{dark}\">\
         <img src=\"{light}\" width=\"{width}\" height=\"{height}\" alt=\"{}\"></picture>\n",
        escaped(&picture.words)
    )
}

fn lessons(set: &LessonSet) -> String {
    let mut out = String::new();
    for lesson in &set.lessons {
        let about = match &*lesson.about {
            "" => String::new(),
            about => format!("<p>{}</p>", escaped(about)),
        };
        let _ = writeln!(
            out,
            "<li><span class=\"number-of\">{}</span><div><a data-lesson=\"{}\" href=\"{}/\">{}</a> \
             <span class=\"minutes\">{} min</span>{about}</div></li>",
            lesson.number,
            escaped(&lesson.slug),
            escaped(&lesson.folder),
            escaped(&lesson.title),
            lesson.minutes,
        );
    }
    out
}

/// A list of the routes; nothing where there are none.
fn routes(set: &LessonSet) -> String {
    if set.routes.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "<section aria-labelledby=\"routes\">\n<h2 id=\"routes\">Routes</h2>\n\
         <p>Steps in an order of their own, with the minutes that a class has.</p>\n<ul>\n",
    );
    for route in &set.routes {
        let Some(way) = route_way(set, route) else {
            continue;
        };
        let steps = route.pages(&set.lessons).len();
        let _ = writeln!(
            out,
            "<li><a href=\"{}\">{}</a> <span class=\"quiet\">{}</span></li>",
            escaped(&way),
            escaped(&route.title),
            counted(steps, "step")
        );
    }
    out.push_str("</ul>\n</section>\n");
    out
}

/// The address of the first step of a route, which names the route.
fn route_way(set: &LessonSet, route: &Route) -> Option<String> {
    let pages = route.pages(&set.lessons);
    let first = pages.first()?;
    let lesson: &Lesson = set.lessons.get(first.lesson)?;
    let step = HtmlPlace::Pages.step_id(lesson, first.step);
    Some(format!("{}/#{step}&route={}", lesson.folder, route.name))
}
