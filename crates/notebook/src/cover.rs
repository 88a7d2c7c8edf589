//! Texts of the cover, in the notebook and on the first page of a site, and the
//! entry points that it offers.

use bindpose_diagnostic::counted;
use bindpose_gltf::Rig;
use bindpose_lesson::number_text::grouped;
use bindpose_lesson::{LessonSet, Route};

use crate::OWN_RIG;
use crate::open_notebook::ESSENTIALS;

/// Name of the route for authors of loaders.
const LOADER: &str = "loader";

/// Title of the whole notebook, used if no page is open.
pub const NOTEBOOK_TITLE: &str = "Bindpose: an interactive notebook on vertex skinning";

/// Headline of the cover. `does` is a verb for the rig's motion, such as
/// `swim`.
pub fn cover_title(rig: &Rig, does: &str) -> String {
    let points = grouped(rig.mesh.positions.len() as u32);
    format!("{points} points. Nobody stored how they {does}.")
}

/// Explanation of skinning on the cover.
pub fn cover_words(rig: &Rig) -> String {
    let matrices = rig.skeleton.len();
    format!(
        "The file has {matrices} matrices and, for each point, a note about which of them it \
         follows. That is skinning. Here you take it apart."
    )
}

/// An entry point to the lessons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverWay {
    /// Title in the reader's own words.
    pub title: &'static str,
    pub about: String,
    pub target: CoverWayEnd,
}

/// Target of an entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoverWayEnd {
    /// First step of a route, by name.
    Route(String),
    Beginning,
    /// The reader's own model, in the lesson with this slug.
    OwnModel(String),
    /// Material for teachers.
    Teaching,
}

/// A route as shown on the cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverRoute {
    /// Name in links.
    pub name: String,
    pub title: String,
    /// Length, such as `33 steps, 90 minutes`.
    pub about: String,
}

/// Returns all routes through these lessons.
pub fn cover_routes(set: &LessonSet) -> Vec<CoverRoute> {
    set.routes
        .iter()
        .map(|route| CoverRoute {
            name: route.name.clone(),
            title: route.title.clone(),
            about: about_route(set, route),
        })
        .collect()
}

fn about_route(set: &LessonSet, route: &Route) -> String {
    let steps = counted(route.pages(&set.lessons).len(), "step");
    format!("{steps}, {} minutes", route.minutes)
}

/// Returns the entry points that exist for these lessons.
pub fn cover_ways(set: &LessonSet) -> Vec<CoverWay> {
    let mut ways = Vec::new();
    if let Some(route) = set.routes.iter().find(|route| route.name == ESSENTIALS) {
        ways.push(CoverWay {
            title: "The essentials",
            about: about_route(set, route),
            target: CoverWayEnd::Route(route.name.clone()),
        });
    }
    ways.push(CoverWay {
        title: "Everything",
        about: format!("{} lessons, as deep as you like", set.lessons.len()),
        target: CoverWayEnd::Beginning,
    });
    if let Some(route) = set.routes.iter().find(|route| route.name == LOADER) {
        ways.push(CoverWay {
            title: "I write a loader",
            about: "from bytes to a moving mesh, in code".to_owned(),
            target: CoverWayEnd::Route(route.name.clone()),
        });
    }
    if let Some(own) = set.lessons.iter().find(|lesson| lesson.rig == OWN_RIG) {
        ways.push(CoverWay {
            title: "My model comes out wrong",
            about: "drop it anywhere on this page".to_owned(),
            target: CoverWayEnd::OwnModel(own.slug.clone()),
        });
    }
    ways.push(CoverWay {
        title: "I teach a class",
        about: "routes, notes, projector, handouts".to_owned(),
        target: CoverWayEnd::Teaching,
    });
    ways
}
