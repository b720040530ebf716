import type {Offer} from '../../../contract/offers.ts';
import type {Section} from '../../components/facts.tsx';
import {count, decimals, duration, known, MISSING, money, percent} from '../../format.ts';
import {printable} from '../../terminal/output/text-width.ts';
import {tier} from './columns.ts';

const text = known(printable);
const perHour = known((dollars: number) => `$${dollars.toFixed(4)} /h`);
const perGb = known((dollars: number) => (dollars === 0 ? 'free' : `$${dollars.toFixed(4)} /GB`));
const yesOrNo = known((value: boolean) => (value ? 'yes' : 'no'));

/** A value with its unit, or nothing but the sign for a missing one. */
function unit(value: string, name: string): string {
	return value === MISSING ? MISSING : `${value} ${name}`;
}

/** Everything about an offer that decides whether to rent it. */
export function factsOf(offer: Offer, diskGb: number): readonly Section[] {
	return [payment(offer, diskGb), equipment(offer), risk(offer), machine(offer)];
}

function payment(offer: Offer, diskGb: number): Section {
	const total = perHour(offer.dph_total);
	const daily =
		offer.dph_total === null || offer.dph_total === undefined ? undefined : offer.dph_total * 24;
	return {
		title: 'WHAT YOU PAY',
		facts: [
			['GPU', perHour(offer.dph_base)],
			[`disk ${diskGb} GB`, perHour(offer.storage_total_cost)],
			['ALL-IN', daily === undefined ? total : `${total}  ${money(daily)}/day`],
			['when stopped', unit(perHour(offer.storage_total_cost), '(disk only)')],
			['traffic in', perGb(offer.inet_down_cost)],
			['traffic out', perGb(offer.inet_up_cost)],
			['lowest bid', perHour(offer.min_bid)],
		],
	};
}

function equipment(offer: Offer): Section {
	const gigabytes = known((megabytes: number) => `${Math.round(megabytes / 1024)} GB`);
	const exact = unit(count(offer.gpu_ram), 'MB');
	return {
		title: 'WHAT YOU GET',
		facts: [
			['GPU', `${known((value: number) => `${value}x `)(offer.num_gpus)}${text(offer.gpu_name)}`],
			['VRAM', offer.gpu_ram === undefined ? MISSING : `${gigabytes(offer.gpu_ram)}  (${exact})`],
			['vCPU / RAM', `${decimals(0)(offer.cpu_cores_effective)} / ${gigabytes(offer.cpu_ram)}`],
			['disk free', unit(count(offer.disk_space), 'GB')],
			['net', `${count(offer.inet_down)} down / ${count(offer.inet_up)} up Mb/s`],
			['CUDA max', decimals(1)(offer.cuda_max_good)],
			['direct ports', count(offer.direct_port_count)],
			['PCIe', `${decimals(1)(offer.pci_gen)}  lanes ${count(offer.gpu_lanes)}`],
		],
	};
}

function risk(offer: Offer): Section {
	return {
		title: 'RISK',
		facts: [
			['reliability', unit(percent(offer.reliability), '%').replace(' %', '%')],
			['tier', offer.verification === undefined ? tier(offer) : text(offer.verification)],
			['datacenter', yesOrNo(isInDatacenter(offer))],
			['rental ends in', duration(offer.duration)],
			['static IP', yesOrNo(offer.static_ip)],
		],
	};
}

function isInDatacenter({hosting_type: hosting}: Offer): boolean | undefined {
	return hosting === null || hosting === undefined ? undefined : hosting === 1;
}

function machine(offer: Offer): Section {
	return {
		title: 'MACHINE',
		facts: [
			['where', text(offer.geolocation)],
			['machine / host', `${known(String)(offer.machine_id)} / ${known(String)(offer.host_id)}`],
			['CPU', text(offer.cpu_name)],
			['disk', text(offer.disk_name)],
			['driver', text(offer.driver_version)],
			['system', text(offer.os_version)],
		],
	};
}
