#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bindpose_fuzz::graph(data));
