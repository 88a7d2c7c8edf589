use bindpose_asset::builtin;
use bindpose_lesson::LessonSet;

use crate::check::check;

const LESSON: &str = "+++\ntitle = \"A\"\nminutes = 5\nrig = \"head\"\n+++\n\n\
    ```viewport main\n```\n\n## One\n\nWords.\n\n## Two\n\nWords.\n";
const NOTES: &str = "## 1. One (2 minutes)\n\nx\n\n## 2. Two\n\ny\n";

fn findings(route: &str) -> String {
    let mut set = LessonSet::from_memory(&[("20-a", LESSON, NOTES)], "");
    let head = "[[route]]\nname = \"r\"\ntitle = \"R\"\n";
    set.add_routes_text("routes.toml", &format!("{head}{route}"));
    let findings = check(&set, &builtin);
    let found: Vec<String> = findings.iter().map(ToString::to_string).collect();
    found.join("\n")
}

#[test]
fn each_mistake_in_a_route_is_found_at_its_place() {
    for (route, place, words) in [
        ("minutes = 2\nsteps = [\"a/one\", \"b\"]", "5:19", "valid here: `a`"),
        ("minutes = 2\nsteps = [\"a/tow\"]", "5:10", "`two`"),
        ("minutes = 2\nsteps = []", "1:1", "has no steps"),
        ("minutes = 4\nsteps = [\"a/one\", \"a/one\"]", "5:19", "comes to `One` twice"),
        ("minutes = 4\nsteps = [\"a\"]", "1:1", "how many minutes `Two` takes"),
        ("minutes = 4\nsteps = [\"a/one\"]", "1:1", "add up to 2, the route `r` says 4"),
    ] {
        let found = findings(route);
        assert!(found.contains(words), "{route}: {found}");
        assert!(found.contains(&format!("routes.toml:{place}")), "{route}: {found}");
    }
    let sound = "minutes = 5\nsteps = [\"a/one\", { step = \"a/two\", minutes = 3 }]";
    assert_eq!(findings(sound), "");
}
