/** Checks of an instance beside its GPUs: disk, connection, memory, processors, clock. */
import {count} from '../text/format.ts';
import {
	compared,
	SIZE,
	SPEED,
	unsaid,
	type ExaminedInstance,
	type HealthCheckResult,
} from './finding.ts';

export function checkDiskSpace({instance, readings}: ExaminedInstance): HealthCheckResult {
	const sizes = {wanted: instance.disk_space, got: readings.disk.sizeGb};
	return compared(sizes, SIZE, {unit: 'GB', what: 'it has'});
}

export function checkDiskSpeed({instance, readings: {disk}}: ExaminedInstance): HealthCheckResult {
	const got = disk.read === undefined ? disk.written : Math.max(disk.read, disk.written ?? 0);
	if (got === undefined)
		return {...unsaid, says: 'not measured: too little is free, or it was left out'};
	const both = [
		disk.written && `${count(disk.written)} MB/s written`,
		disk.read && `${count(disk.read)} MB/s read`,
	];
	const what = `${both.filter(Boolean).join(', ')}:`;
	return compared({wanted: instance.disk_bw, got}, SPEED, {unit: 'MB/s', what});
}

/** True if a measured speed is as good as the ordered one. */
function isEnough(speed: number | null | undefined, got: number): boolean {
	return typeof speed !== 'number' || got >= SPEED.warn * speed;
}

export function checkNetworkSpeed({instance, readings, line}: ExaminedInstance): HealthCheckResult {
	const {inet_down: down, inet_up: up} = instance;
	const ordered = [down, up].every(speed => typeof speed === 'number')
		? `${count(down)} / ${count(up)} Mb/s`
		: undefined;
	const {download} = readings;
	if (typeof download === 'number') {
		const part = compared({wanted: down, got: download}, SPEED, {unit: 'Mb/s', what: 'downloads'});
		// The server of the download may itself be slow.
		return {...part, verdict: part.verdict === 'fail' ? 'warn' : part.verdict};
	}
	if (line === undefined) {
		return {...unsaid, ordered, says: download ?? 'not measured'};
	}
	const found = `${count(line.down)} / ${count(line.up)} Mb/s`;
	if (ordered !== undefined && isEnough(down, line.down) && isEnough(up, line.up)) {
		return {ordered, found, verdict: 'ok', says: `${found} down and up, to and from here`};
	}
	const says = `at least ${found} down and up; the line from here may be what ends it: --from URL measures without it`;
	return {ordered, found, verdict: 'unknown', says};
}

export function checkRam({instance, readings}: ExaminedInstance): HealthCheckResult {
	const {cpu_ram: megabytes, gpu_frac: share} = instance;
	const wanted = typeof megabytes === 'number' ? (megabytes * (share ?? 1)) / 1024 : undefined;
	const got = readings.memoryGb === undefined ? undefined : (readings.memoryGb * 1e9) / 1024 ** 3;
	return compared({wanted, got}, SIZE, {unit: 'GB', digits: 1, what: 'it has'});
}

export function checkProcessors({instance, readings}: ExaminedInstance): HealthCheckResult {
	const wanted = instance.cpu_cores_effective;
	return compared({wanted, got: readings.processors}, SIZE, {
		unit: 'threads',
		digits: 1,
		what: 'it has',
	});
}

/** Clock skew in seconds beyond which times of files and logs mislead. */
const FAR_SECONDS = 30;

export function checkMachineClock({readings: {time}, now}: ExaminedInstance): HealthCheckResult {
	if (time === undefined) return unsaid;
	const ahead = Math.round(time - now);
	const way = ahead > 0 ? 'ahead of' : 'behind';
	const part = {ordered: undefined, found: `${ahead} s`};
	return Math.abs(ahead) > FAR_SECONDS
		? {
				...part,
				verdict: 'warn',
				says: `its clock is ${count(Math.abs(ahead))} s ${way} the service’s`,
			}
		: {...part, verdict: 'ok', says: 'its clock is that of the service'};
}
