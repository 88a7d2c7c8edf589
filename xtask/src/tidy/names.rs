//! `cargo xtask names`: names that types share, and habits of wording and of shape.

use std::fs;
use std::path::PathBuf;

use crate::process;

use super::checkout::Checkout;
use super::habits::{CrateCode, EGUI, HABITS, Habit, HabitCounts};
use super::rules;

/// Width of the table's first column and of one habit's, in characters.
const NAME_WIDTH: usize = 18;
const HABIT_WIDTH: usize = 16;

/// Runs the command with its arguments: none, `--list HABIT [CRATE]` or `--of FOLDER…`.
pub fn run(args: &[String]) -> Result<(), String> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        [] => print_repository(),
        ["--list", key] => list_hits(Habit::with_key(key)?, None),
        ["--list", key, crate_name] => list_hits(Habit::with_key(key)?, Some(crate_name)),
        ["--of", folders @ ..] if !folders.is_empty() => print_folders(folders),
        _ => Err("use `cargo xtask names`, `cargo xtask names --list HABIT [CRATE]` or \
                  `cargo xtask names --of FOLDER…`"
            .to_owned()),
    }
}

fn print_repository() -> Result<(), String> {
    let checkout = Checkout::open(process::root())?;
    rules::type_names::print(&checkout);
    println!();
    let mut rows = Vec::new();
    for one in CrateCode::of_repository(&checkout) {
        let counts = one.count();
        rows.push((one.name, counts));
    }
    print_table(&rows);
    println!("\n`cargo xtask names --list HABIT [CRATE]` lists the hits.");
    Ok(())
}

/// Prints the same table for any folders of Rust code.
fn print_folders(folders: &[&str]) -> Result<(), String> {
    let mut rows = Vec::new();
    for folder in folders {
        let path = fs::canonicalize(folder).map_err(|why| format!("{folder}: {why}"))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let checkout = Checkout::open_folder(PathBuf::from(folder))?;
        let files = checkout.all_sources().iter().collect();
        let counts = CrateCode::new(name.clone(), files).count();
        if counts.code_line_count == 0 {
            return Err(format!("{folder}: no Rust code outside tests; name another folder"));
        }
        rows.push((name, counts));
    }
    print_table(&rows);
    Ok(())
}

/// Prints file and line of every hit, of one crate or of all.
fn list_hits(habit: &Habit, crate_name: Option<&str>) -> Result<(), String> {
    let checkout = Checkout::open(process::root())?;
    let mut crates = CrateCode::of_repository(&checkout);
    if let Some(name) = crate_name {
        let names: Vec<String> = crates.iter().map(|one| one.name.clone()).collect();
        crates.retain(|one| one.name == name);
        if crates.is_empty() {
            return Err(format!("there is no crate `{name}`; the crates are {}", names.join(", ")));
        }
    }
    for one in &crates {
        for (file, line) in one.hits(habit) {
            println!("{file}:{line}");
        }
    }
    Ok(())
}

/// Prints a row for each crate, then their sum, egui's counts and the goals.
fn print_table(rows: &[(String, HabitCounts)]) {
    print!("{:NAME_WIDTH$} {:>7} {:>6}", "", "lines", "docs");
    for habit in &HABITS {
        print!(" {:>HABIT_WIDTH$}", habit.key);
    }
    print!("\n{:NAME_WIDTH$} {:>7} {:>6}", "", "", "");
    for habit in &HABITS {
        print!(" {:>HABIT_WIDTH$}", habit.base.unit());
    }
    println!();
    let mut sum = HabitCounts::default();
    for (name, counts) in rows {
        print_row(name, counts);
        sum.add(counts);
    }
    print_row("in all", &sum);
    print_row("egui 0.37.0", &EGUI);
    print!("{:NAME_WIDTH$} {:>7} {:>6}", "goal, at most", "", "");
    for habit in &HABITS {
        print!(" {:>HABIT_WIDTH$.2}", habit.goal);
    }
    println!();
}

/// Prints the rate of each habit with the number of hits.
fn print_row(name: &str, counts: &HabitCounts) {
    print!("{name:NAME_WIDTH$} {:>7} {:>6}", counts.code_line_count, counts.doc_count);
    for (habit, hit_count) in HABITS.iter().zip(counts.hit_counts) {
        let cell = format!("{:.2} ({hit_count})", habit.rate(hit_count, counts));
        print!(" {cell:>HABIT_WIDTH$}");
    }
    println!();
}
