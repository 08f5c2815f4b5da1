/** What the operating system says of the browser's page process: on Linux, from /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** The kernel's ticks a second in /proc/<pid>/stat (USER_HZ, 100 on every Linux that Node runs on). */
const TICKS_PER_SECOND = 100;

interface Process {
  pid: number;
  parent: number;
  cpuSeconds: number;
}

/** null where the process has ended meanwhile. */
function readProcess(pid: number): Process | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold spaces; fields are counted behind it (proc(5): state, ppid, …, utime, stime).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { pid, parent: Number(fields[1]), cpuSeconds: ticks / TICKS_PER_SECOND };
  } catch {
    return null;
  }
}

/** Largest resident set of a process so far (VmHWM), in bytes; 0 when it has ended. */
function peakBytes(pid: number): number {
  try {
    const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kib ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function isRenderer(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer');
  } catch {
    return false;
  }
}

/**
 * Usage of the page processes of browsers that this process has started: the largest peak among them, and their CPU time
 * together. A page's workers run in its process. null where there is no /proc.
 */
export function rendererUsage(): { peakBytes: number; cpuSeconds: number } | null {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return null;
  }
  const processes = new Map(
    names
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const found = readProcess(Number(name));
        return found === null ? [] : [[found.pid, found] as const];
      }),
  );
  const isOurs = ({ parent }: Process): boolean => {
    if (parent === process.pid) return true;
    const above = processes.get(parent);
    return above !== undefined && isOurs(above);
  };
  const renderers = [...processes.values()].filter((one) => isOurs(one) && isRenderer(one.pid));
  if (renderers.length === 0) return null;
  return {
    peakBytes: Math.max(...renderers.map(({ pid }) => peakBytes(pid))),
    cpuSeconds: renderers.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
  };
}
