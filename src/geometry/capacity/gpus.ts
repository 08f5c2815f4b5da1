/** GPUs that models are served on, with their memory. */

export interface Gpu {
  id: string;
  name: string;
  /** The size on the data sheet read as GiB: `nominalGib` x 2^30, as the second article counts 80 GiB = 85,899,345,920. */
  bytes: number;
  /** What the driver says is there (nvidia-smi, ECC as delivered); null where no such output was found. */
  reportedBytes: number | null;
  /** Where the size is from. */
  source: string;
  /** True where system and GPU share the memory, so that the usable share is lower than elsewhere. */
  unified: boolean;
}

const GIB = 2 ** 30;
const MIB = 2 ** 20;

/** Data sheets round: the driver reports less (reserved, ECC), or a little more. MiB are of public `nvidia-smi` outputs. */
const NVIDIA: readonly [id: string, name: string, gib: number, reportedMib: number | null][] = [
  ['a100-40', 'NVIDIA A100 40GB', 40, 40_960],
  ['a100-80', 'NVIDIA A100 80GB', 80, 81_920],
  ['h100-80', 'NVIDIA H100 80GB (SXM, PCIe)', 80, 81_559],
  ['h100-nvl', 'NVIDIA H100 NVL 94GB', 94, 95_830],
  ['h200', 'NVIDIA H200 141GB', 141, 143_771],
  ['b200', 'NVIDIA B200 180GB', 180, 183_359],
  ['b300', 'NVIDIA B300 288GB', 288, 275_040],
  ['gb200', 'NVIDIA GB200 186GB (one GPU)', 186, 189_471],
  ['l4', 'NVIDIA L4 24GB', 24, 23_034],
  ['l40s', 'NVIDIA L40S 48GB', 48, 46_068],
  ['a10', 'NVIDIA A10 24GB', 24, 23_028],
  ['a40', 'NVIDIA A40 48GB', 48, 46_068],
  ['t4', 'NVIDIA T4 16GB', 16, 15_360],
  ['v100-16', 'NVIDIA V100 16GB', 16, 16_384],
  ['v100-32', 'NVIDIA V100 32GB', 32, 32_768],
  ['rtx-3090', 'NVIDIA GeForce RTX 3090 24GB', 24, 24_576],
  ['rtx-4090', 'NVIDIA GeForce RTX 4090 24GB', 24, 24_564],
  ['rtx-5090', 'NVIDIA GeForce RTX 5090 32GB', 32, 32_607],
  ['rtx-pro-6000', 'NVIDIA RTX PRO 6000 Blackwell 96GB', 96, 97_887],
];

type DataSheet = readonly [id: string, name: string, gib: number, source: string];

const OTHERS: readonly DataSheet[] = [
  ['mi210', 'AMD Instinct MI210 64GB', 64, 'AMD Instinct MI210 data sheet: 64 GB HBM2e'],
  ['mi250', 'AMD Instinct MI250 128GB (two dies of 64)', 128, 'AMD Instinct MI250 data sheet: 128 GB HBM2e'],
  ['mi300x', 'AMD Instinct MI300X 192GB', 192, 'AMD Instinct MI300X data sheet: 192 GB HBM3'],
  ['mi325x', 'AMD Instinct MI325X 256GB', 256, 'AMD Instinct MI325X data sheet: 256 GB HBM3E'],
  ['mi355x', 'AMD Instinct MI355X 288GB', 288, 'AMD Instinct MI355X data sheet: 288 GB HBM3E'],
  ['gaudi-2', 'Intel Gaudi 2 96GB', 96, 'Intel Gaudi 2 product brief: 96 GB HBM2E'],
  ['gaudi-3', 'Intel Gaudi 3 128GB', 128, 'Intel Gaudi 3 product brief: 128 GB HBM2e'],
];

const UNIFIED: readonly DataSheet[] = [
  ['m4-32', 'Apple M4, 32GB unified', 32, 'Apple technical specifications, Mac mini (2024)'],
  ['m4-pro-64', 'Apple M4 Pro, 64GB unified', 64, 'Apple technical specifications, Mac mini (2024)'],
  ['m4-max-128', 'Apple M4 Max, 128GB unified', 128, 'Apple technical specifications, Mac Studio (2025)'],
  ['m2-ultra-192', 'Apple M2 Ultra, 192GB unified', 192, 'Apple technical specifications, Mac Studio (2023)'],
  ['m3-ultra-512', 'Apple M3 Ultra, 512GB unified', 512, 'Apple technical specifications, Mac Studio (2025)'],
];

/** All GPUs of the list, by maker. Anything else is typed in GiB or bytes. */
export const GPUS: readonly Gpu[] = [
  ...NVIDIA.map(([id, name, gib, mib]): Gpu => ({
    id,
    name,
    bytes: gib * GIB,
    reportedBytes: mib === null ? null : mib * MIB,
    source: `NVIDIA data sheet: ${gib} GB${mib === null ? '' : `; nvidia-smi: ${mib} MiB`}`,
    unified: false,
  })),
  ...OTHERS.map((gpu) => byDataSheet(gpu, false)),
  ...UNIFIED.map((gpu) => byDataSheet(gpu, true)),
];

function byDataSheet([id, name, gib, source]: DataSheet, unified: boolean): Gpu {
  return { id, name, bytes: gib * GIB, reportedBytes: null, source, unified };
}

/** The GPU of that id; null when it is not in the list. */
export function findGpu(id: string): Gpu | null {
  return GPUS.find((gpu) => gpu.id === id) ?? null;
}

/**
 * Bytes of a size as a person types it: `80 GiB`, `80GB` (decimal), `85899345920`, `85,899,345,920 bytes`; a bare number
 * below 10,000 is GiB. Rounded down to whole bytes.
 * @throws RangeError with one sentence when it is no size above 0.
 */
export function readMemory(text: string): number {
  const found = /^([\d,_ ]*\.?\d+)\s*(gib|gb|mib|mb|tib|tb|b|bytes)?$/i.exec(text.trim());
  const value = Number((found?.[1] ?? '').replaceAll(/[,_ ]/g, ''));
  const unit = found?.[2]?.toLowerCase() ?? (value < 10_000 ? 'gib' : 'b');
  const bytes = Math.floor(value * (UNITS[unit] ?? 1));
  if (!found || !Number.isSafeInteger(bytes) || bytes < 1)
    throw new RangeError(
      `“${text.slice(0, 60)}” is no size of memory: write 80 GiB, 80 GB or a number of bytes.`,
    );
  return bytes;
}

const UNITS: Record<string, number> = {
  mib: MIB,
  mb: 1e6,
  gib: GIB,
  gb: 1e9,
  tib: 2 ** 40,
  tb: 1e12,
  b: 1,
  bytes: 1,
};
