import type {Kysely} from 'kysely';
import type {Tables} from '../schema.ts';
import {createAccounts} from './0001-accounts.ts';
import {createOffers} from './0002-offers.ts';
import {createAccess} from './0003-access.ts';
import {createTemplates} from './0004-templates.ts';
import {createInstances} from './0005-instances.ts';
import {keepContractEnds} from './0006-contract-ends.ts';
import {limitUnheardMachines} from './0007-unheard-machines.ts';
import {countTraffic} from './0008-counted-traffic.ts';
import {createLeases} from './0009-leases.ts';
import {keepIsolation} from './0010-isolation.ts';
import {quietSweeps} from './0011-quiet-sweeps.ts';
import {createNotifications} from './0012-notifications.ts';
import {createLedger} from './0014-ledger.ts';
import {createPeople} from './0015-people.ts';
import {markAbsentMachines} from './0016-absent-machines.ts';
import {createProviders} from './0017-providers.ts';
import {createGpuSamples} from './0018-gpu-samples.ts';
import {dropOfferTexts} from './0019-offer-texts.ts';
import {createReliability} from './0020-reliability.ts';
import {keepDeposits} from './0021-deposits.ts';
import {createPaces} from './0022-paces.ts';
import {createMachineTests} from './0023-machine-tests.ts';
import {createCopies} from './0024-copies.ts';
import {createScheduledJobs} from './0025-scheduled-jobs.ts';
import {createAccountHistory} from './0026-account-history.ts';
import {createDefaultJobs} from './0027-default-jobs.ts';
import {createTemplateUses} from './0028-template-uses.ts';
import {copyVolumes} from './0029-copies-of-volumes.ts';

import {createCheckedBooks} from './0030-checked-books.ts';
import {indexEndedCopies} from './0031-ended-copies.ts';
import {keepRoom} from './0032-room-of-offers.ts';
import {markRents} from './0033-marks-of-rents.ts';

export type Migration = (database: Kysely<Tables>) => Promise<void>;

/** In order: the first brings a file to version 1. What has been released is never changed. */
export const migrations: readonly Migration[] = [
	createAccounts,
	createOffers,
	createAccess,
	createTemplates,
	createInstances,
	keepContractEnds,
	limitUnheardMachines,
	countTraffic,
	createLeases,
	keepIsolation,
	quietSweeps,
	createNotifications,
	createLedger,
	createPeople,
	markAbsentMachines,
	createProviders,
	createGpuSamples,
	dropOfferTexts,
	createReliability,
	keepDeposits,
	createPaces,
	createMachineTests,
	createCopies,
	createScheduledJobs,
	createAccountHistory,
	createDefaultJobs,
	createTemplateUses,
	copyVolumes,
	createCheckedBooks,
	indexEndedCopies,
	keepRoom,
	markRents,
];
