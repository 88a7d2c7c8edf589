//! Lessons are part of the program; the macro that embeds them does not tell
//! cargo to look at them.

fn main() {
    println!("cargo::rerun-if-changed=../../lessons");
}
