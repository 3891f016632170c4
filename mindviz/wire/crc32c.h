/* CRC-32C (Castagnoli, reflected polynomial 0x82f63b78) for the native modules.
 *
 * Three ways to the same answer, chosen when the program runs: the instruction of SSE4.2, that of
 * ARMv8, or tables that take eight bytes at a time. The instruction has a latency of three cycles
 * and a throughput of one, so long inputs are cut in three that are worked on at the same time;
 * what the first part's checksum becomes behind the second part's length is looked up in a table.
 */
#ifndef MINDVIZ_CRC32C_H
#define MINDVIZ_CRC32C_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "the native modules read little-endian words; this machine uses the pure-Python ones"
#endif

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#include <nmmintrin.h>
#define CRC32C_INSTRUCTION 1
#define CRC32C_TARGET __attribute__((target("sse4.2")))
#define CRC32C_STEP64(crc, word) (_mm_crc32_u64((crc), (word)))
#define CRC32C_STEP32(crc, word) (_mm_crc32_u32((uint32_t)(crc), (word)))
#define CRC32C_STEP8(crc, byte) (_mm_crc32_u8((uint32_t)(crc), (byte)))
#elif defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#include <nmmintrin.h>
#define CRC32C_INSTRUCTION 1
#define CRC32C_TARGET
#define CRC32C_STEP64(crc, word) (_mm_crc32_u64((crc), (word)))
#define CRC32C_STEP32(crc, word) (_mm_crc32_u32((uint32_t)(crc), (word)))
#define CRC32C_STEP8(crc, byte) (_mm_crc32_u8((uint32_t)(crc), (byte)))
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__aarch64__)
#if defined(__linux__)
#include <sys/auxv.h>
#endif
#define CRC32C_INSTRUCTION 1
#define CRC32C_TARGET
/* Assembly, because the intrinsics want a compiler flag that would apply to everything else. */
static inline uint32_t crc32c_step64(uint32_t crc, uint64_t word) {
    __asm__(".arch_extension crc\n\tcrc32cx %w0, %w0, %x1" : "+r"(crc) : "r"(word));
    return crc;
}
static inline uint32_t crc32c_step32(uint32_t crc, uint32_t word) {
    __asm__(".arch_extension crc\n\tcrc32cw %w0, %w0, %w1" : "+r"(crc) : "r"(word));
    return crc;
}
static inline uint32_t crc32c_step8(uint32_t crc, uint8_t byte) {
    __asm__(".arch_extension crc\n\tcrc32cb %w0, %w0, %w1" : "+r"(crc) : "r"((uint32_t)byte));
    return crc;
}
#define CRC32C_STEP64(crc, word) crc32c_step64((crc), (word))
#define CRC32C_STEP32(crc, word) crc32c_step32((crc), (word))
#define CRC32C_STEP8(crc, byte) crc32c_step8((crc), (byte))
#endif

/* What the instruction takes and gives: narrowing it each time would cost a cycle in three. */
#if defined(__x86_64__) || defined(_M_X64)
typedef uint64_t crc32c_word;
#else
typedef uint32_t crc32c_word;
#endif

#define CRC32C_PART 1024 /* bytes; a third of what is worked on at once */

static uint32_t crc32c_tables[8][256];   /* [k][b]: byte b followed by k zero bytes */
static uint32_t crc32c_behind[4][256];   /* [k][b]: b << 8k followed by CRC32C_PART zero bytes */
static int crc32c_has_instruction = 0;

static inline uint64_t crc32c_load64(const uint8_t *p) {
    uint64_t word;
    memcpy(&word, p, 8);
    return word;
}

/* `crc` is the inverted register in the two that follow. */

static uint32_t crc32c_by_table(uint32_t crc, const uint8_t *p, size_t n) {
    while (n >= 8) {
        uint64_t word = crc32c_load64(p) ^ crc;
        crc = crc32c_tables[7][word & 255] ^ crc32c_tables[6][(word >> 8) & 255] ^
              crc32c_tables[5][(word >> 16) & 255] ^ crc32c_tables[4][(word >> 24) & 255] ^
              crc32c_tables[3][(word >> 32) & 255] ^ crc32c_tables[2][(word >> 40) & 255] ^
              crc32c_tables[1][(word >> 48) & 255] ^ crc32c_tables[0][word >> 56];
        p += 8;
        n -= 8;
    }
    while (n--)
        crc = (crc >> 8) ^ crc32c_tables[0][(crc ^ *p++) & 255];
    return crc;
}

#ifdef CRC32C_INSTRUCTION
/* What the checksum `crc` has become CRC32C_PART bytes later, if these were zeros. */
static inline crc32c_word crc32c_behind_part(crc32c_word crc) {
    return crc32c_behind[0][crc & 255] ^ crc32c_behind[1][(crc >> 8) & 255] ^
           crc32c_behind[2][(crc >> 16) & 255] ^ crc32c_behind[3][(crc >> 24) & 255];
}

CRC32C_TARGET static uint32_t crc32c_by_instruction(uint32_t start, const uint8_t *p, size_t n) {
    crc32c_word crc = start;
    while (n >= 3 * CRC32C_PART) {
        crc32c_word second = 0, third = 0;
        const uint8_t *end = p + CRC32C_PART;
        for (; p < end; p += 16) {
            crc = CRC32C_STEP64(crc, crc32c_load64(p));
            second = CRC32C_STEP64(second, crc32c_load64(p + CRC32C_PART));
            third = CRC32C_STEP64(third, crc32c_load64(p + 2 * CRC32C_PART));
            crc = CRC32C_STEP64(crc, crc32c_load64(p + 8));
            second = CRC32C_STEP64(second, crc32c_load64(p + CRC32C_PART + 8));
            third = CRC32C_STEP64(third, crc32c_load64(p + 2 * CRC32C_PART + 8));
        }
        crc = crc32c_behind_part(crc32c_behind_part(crc) ^ second) ^ third;
        p += 2 * CRC32C_PART;
        n -= 3 * CRC32C_PART;
    }
    while (n >= 8) {
        crc = CRC32C_STEP64(crc, crc32c_load64(p));
        p += 8;
        n -= 8;
    }
    if (n >= 4) {
        uint32_t word;
        memcpy(&word, p, 4);
        crc = CRC32C_STEP32(crc, word);
        p += 4;
        n -= 4;
    }
    while (n--)
        crc = CRC32C_STEP8(crc, *p++);
    return (uint32_t)crc;
}

static int crc32c_cpu_has_instruction(void) {
#if defined(_MSC_VER)
    int leaf[4];
    __cpuid(leaf, 1);
    return (leaf[2] >> 20) & 1;
#elif defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("sse4.2");
#elif defined(__linux__)
    return (getauxval(AT_HWCAP) >> 7) & 1; /* HWCAP_CRC32 */
#elif defined(__APPLE__)
    return 1;
#else
    return 0;
#endif
}
#endif

/* Fill the tables; once per module, before anything else. */
static void crc32c_prepare(int use_instruction) {
    uint32_t bits[32];
    for (uint32_t b = 0; b < 256; b++) {
        uint32_t crc = b;
        for (int i = 0; i < 8; i++)
            crc = (crc >> 1) ^ (0x82f63b78u & (0u - (crc & 1)));
        crc32c_tables[0][b] = crc;
    }
    for (int k = 1; k < 8; k++)
        for (int b = 0; b < 256; b++) {
            uint32_t crc = crc32c_tables[k - 1][b];
            crc32c_tables[k][b] = (crc >> 8) ^ crc32c_tables[0][crc & 255];
        }
    /* A checksum is linear: 32 single bits say what becomes of every value. */
    for (int i = 0; i < 32; i++) {
        static const uint8_t zeros[64];
        bits[i] = 1u << i;
        for (int done = 0; done < CRC32C_PART; done += (int)sizeof zeros)
            bits[i] = crc32c_by_table(bits[i], zeros, sizeof zeros);
    }
    for (int k = 0; k < 4; k++)
        for (int b = 0; b < 256; b++) {
            uint32_t crc = 0;
            for (int i = 0; i < 8; i++)
                if ((b >> i) & 1)
                    crc ^= bits[8 * k + i];
            crc32c_behind[k][b] = crc;
        }
#ifdef CRC32C_INSTRUCTION
    crc32c_has_instruction = use_instruction && crc32c_cpu_has_instruction();
#else
    (void)use_instruction;
#endif
}

/* The checksum of what `crc` is the checksum of, followed by these bytes. Start with 0. */
static inline uint32_t crc32c_extend(uint32_t crc, const uint8_t *p, size_t n) {
#ifdef CRC32C_INSTRUCTION
    if (crc32c_has_instruction)
        return ~crc32c_by_instruction(~crc, p, n);
#endif
    return ~crc32c_by_table(~crc, p, n);
}

/* As TFRecord files store it. */
static inline uint32_t crc32c_mask(uint32_t crc) {
    return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

#endif
