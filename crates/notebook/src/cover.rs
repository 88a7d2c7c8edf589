//! What the cover says, in the notebook and on the first page of a site, and the ways in
//! that it offers.

use bindpose_asset::Rig;
use bindpose_diagnostic::counted;
use bindpose_lesson::{LessonSet, Route};

use crate::OWN_RIG;
use crate::number_text::grouped;
use crate::open_notebook::ESSENTIALS;

/// The route for who writes a loader, by name.
const LOADER: &str = "loader";

/// Of the whole notebook, where no page of it is open.
pub const NOTEBOOK_TITLE: &str = "Bindpose: an interactive notebook on vertex skinning";

/// Above everything; `does` is what the rig does there: swim.
pub fn cover_title(rig: &Rig, does: &str) -> String {
    let points = grouped(rig.mesh.positions.len() as u32);
    format!("{points} points. Nobody stored how they {does}.")
}

/// What skinning is.
pub fn cover_words(rig: &Rig) -> String {
    let matrices = rig.skeleton.len();
    format!(
        "The file has {matrices} matrices and, for each point, a note about which of them it \
         follows. That is skinning. Here you take it apart."
    )
}

/// A way into the lessons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverWay {
    /// In the reader's own words.
    pub title: &'static str,
    /// What is there.
    pub about: String,
    /// Where it leads.
    pub leads: CoverWayEnd,
}

/// Where a way in leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoverWayEnd {
    /// To the first step of a route, by its name.
    Route(String),
    /// To the first lesson.
    Beginning,
    /// To a model of the reader's own: the lesson with this slug stands on it.
    OwnModel(String),
    /// To what is there for who teaches.
    Teaching,
}

/// A route as the cover offers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverRoute {
    /// In links.
    pub name: String,
    /// For people.
    pub title: String,
    /// `33 steps, 90 minutes`
    pub about: String,
}

/// All routes of these lessons.
pub fn cover_routes(set: &LessonSet) -> Vec<CoverRoute> {
    let routes = set.routes.iter().map(|route| CoverRoute {
        name: route.name.clone(),
        title: route.title.clone(),
        about: about_route(set, route),
    });
    routes.collect()
}

fn about_route(set: &LessonSet, route: &Route) -> String {
    let steps = counted(route.pages(&set.lessons).len(), "step");
    format!("{steps}, {} minutes", route.minutes)
}

/// Those that there are with these lessons.
pub fn cover_ways(set: &LessonSet) -> Vec<CoverWay> {
    let way = |title, about: &str, leads| CoverWay { title, about: about.to_owned(), leads };
    let route = |name: &str| set.routes.iter().find(|route| route.name == name);
    let mut ways = Vec::new();
    if let Some(route) = route(ESSENTIALS) {
        let about = about_route(set, route);
        ways.push(way("The essentials", &about, CoverWayEnd::Route(route.name.clone())));
    }
    let about = format!("{} lessons, as deep as you like", set.lessons.len());
    ways.push(way("Everything", &about, CoverWayEnd::Beginning));
    if let Some(route) = route(LOADER) {
        let about = "from bytes to a moving mesh, in code";
        ways.push(way("I write a loader", about, CoverWayEnd::Route(route.name.clone())));
    }
    if let Some(own) = set.lessons.iter().find(|lesson| lesson.rig == OWN_RIG) {
        let leads = CoverWayEnd::OwnModel(own.slug.clone());
        ways.push(way("My model comes out wrong", "drop it anywhere on this page", leads));
    }
    let about = "routes, notes, projector, handouts";
    ways.push(way("I teach a class", about, CoverWayEnd::Teaching));
    ways
}
