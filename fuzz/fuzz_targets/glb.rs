#![no_main]

mod mutate;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bindpose_fuzz::glb(data));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, most: usize, seed: u32| {
    mutate::glb(data, size, most, seed)
});
