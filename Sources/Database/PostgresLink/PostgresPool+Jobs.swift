// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import Dispatch
    import Foundation

    // MARK: Jobs

    extension PostgresPool {
        /// Runs a job with a connection, on a thread of the pool, and takes the connection back when the job returns.
        ///
        /// Does not wait. A job that gets no connection gets an error instead: `exhausted`, immediately and on the caller's thread, if the
        /// line is full; `unavailable`, on some thread, when the patience is over or the pool is closed.
        package func start(_ job: @escaping @Sendable (Result<PostgresConnection, PostgresError>) -> Void) {
            switch state.withLock({ $0.accept(job, limits) }) {
            case .refused(let error): job(.failure(error))
            case .thread: startThread()
            case .look(let deadline): scheduleExpiry(deadline)
            case .accepted: break
            }
        }

        /// The stack is small: a job calls the server and little else.
        private func startThread() {
            let thread = Thread { [self] in
                while let job = next() { run(job) }
            }
            thread.name = "hearth postgres"
            thread.stackSize = 512 * 1_024
            thread.start()
        }

        /// Blocks the thread until there is a job; nil if the thread should end, because there was none for a while or the pool is closed.
        private func next() -> WaitingJob? {
            let wakeUp = DispatchSemaphore(value: 0)
            while true {
                switch state.withLock({ $0.nextJob(orSleepWith: wakeUp) }) {
                case .job(let job): return job
                case .end: return nil
                case .sleep: break
                }
                guard wakeUp.wait(timeout: .now() + .seconds(10)) == .timedOut else { continue }
                if state.withLock({ $0.leave(wakeUp) }) { return nil }
            }
        }

        private func run(_ job: WaitingJob) {
            do {
                let connection = try borrow(until: job.deadline)
                job.run(.success(connection))
                giveBack(connection)
            } catch {
                job.run(.failure(error))
            }
            state.withLock { state in
                state.running -= 1
                guard state.running == 0 else { return }
                state.closing.forEach { $0.signal() }
                state.closing = []
            }
        }

        /// Jobs whose patience is over while every thread is busy fail on a thread of Dispatch.
        private func scheduleExpiry(_ deadline: DispatchTime) {
            DispatchQueue.global().asyncAfter(deadline: deadline) { [self] in
                let (expired, next) = state.withLock { $0.expire(.now()) }
                for job in expired { job(.failure(PostgresError(.unavailable, "every connection to PostgreSQL is in use"))) }
                if let next { scheduleExpiry(next) }
            }
        }
    }

    extension PostgresPool.State {
        enum Admission {
            case refused(PostgresError)
            /// A thread that exists takes the job.
            case accepted
            /// Start a thread.
            case thread
            /// Every thread is busy: look at the deadlines of jobs at this time.
            case look(DispatchTime)
        }

        enum Turn {
            case job(PostgresPool.WaitingJob)
            case sleep
            case end
        }

        mutating func accept(_ job: @escaping PostgresPool.Job, _ limits: PostgresPoolLimits) -> Admission {
            if isClosed { return .refused(PostgresPool.closedError) }
            if jobs.count >= limits.line { return .refused(PostgresError(.exhausted, "too many calls wait for PostgreSQL")) }
            jobs.append((job, limits.deadline))
            if let sleeper = sleeping.popLast() {
                sleeper.signal()
                return .accepted
            }
            if threads < limits.connections {
                threads += 1
                return .thread
            }
            if isExpiring { return .accepted }
            isExpiring = true
            return .look(limits.deadline)
        }

        mutating func nextJob(orSleepWith wakeUp: DispatchSemaphore) -> Turn {
            // A thread that was woken up for a job that another one has taken.
            sleeping.removeAll { $0 === wakeUp }
            if !jobs.isEmpty {
                running += 1
                return .job(jobs.removeFirst())
            }
            if isClosed {
                threads -= 1
                return .end
            }
            sleeping.append(wakeUp)
            return .sleep
        }

        /// A thread has slept for long. Returns false if it was woken up in the meantime.
        mutating func leave(_ wakeUp: DispatchSemaphore) -> Bool {
            guard let index = sleeping.firstIndex(where: { $0 === wakeUp }) else { return false }
            sleeping.remove(at: index)
            threads -= 1
            return true
        }

        /// Removes the jobs whose deadline has passed, and returns when to look again if there are others.
        mutating func expire(_ now: DispatchTime) -> (expired: [PostgresPool.Job], next: DispatchTime?) {
            let count = jobs.prefix { $0.deadline <= now }.count
            let expired = jobs.prefix(count).map(\.run)
            jobs.removeFirst(count)
            isExpiring = !jobs.isEmpty
            return (expired, jobs.first?.deadline)
        }
    }
#endif
