//! Tests that the courses in `docs/examples` are sound, can be packed into one file, and
//! show every step out of it.

use std::fs;
use std::path::{Path, PathBuf};

use bindpose_asset as asset;
use bindpose_lesson::{LessonSet, unpack};
use bindpose_notebook::{Preferences, check};

use super::pack::pack_course;
use super::testing::page_with;

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples");
    let entries = fs::read_dir(folder).expect("the examples");
    let folders = entries.map(|entry| entry.expect("a folder").path());
    let mut folders: Vec<PathBuf> = folders.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

#[test]
fn each_is_sound_packed_and_shown_step_by_step() {
    let folders = examples();
    assert_eq!(folders.len(), 2, "{folders:?}");
    for folder in folders {
        let at = folder.display();
        let set = LessonSet::from_paths(std::slice::from_ref(&folder)).expect("a course");
        let found = check::check(&set, &|id| asset::builtin(id));
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "{at}: {found:#?}");

        let packed = pack_course(&folder).unwrap_or_else(|wrong| panic!("{at}: {wrong}"));
        let files = unpack(&packed.bytes).expect("an archive of our own");
        let (set, first) = LessonSet::embedded()
            .with_course("example.bindpose", files)
            .unwrap_or_else(|wrong| panic!("{at}: {wrong}"));
        let lesson = set.lessons[first].clone();
        let mut harness = page_with([1280.0, 720.0], set, Preferences::default());
        for step in &lesson.steps {
            let link = format!("bindpose://{}/{}", lesson.slug, step.slug);
            let shell = harness.state_mut().shell();
            shell.follow(&link).unwrap_or_else(|wrong| panic!("{link}: {wrong}"));
            harness.run();
            let shell = harness.state_mut().shell();
            let rig = &shell.notebook().derived().rig.id;
            let wanted = lesson.rig_at(shell.notebook().document().step);
            assert_eq!(rig, wanted, "{link}");
        }
    }
}
